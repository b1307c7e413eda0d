/** The first words of lines that need the key of a service. Apart from the commands, which are loaded later. */
export const keyCommands: readonly string[] = ['list', 'ls', 'add', 'get', 'import', 'doctor'];
