/** The names an environment may have; each is also part of a variable's name. */
export const environmentName = /^[a-z][a-z0-9-]{0,31}$/;
