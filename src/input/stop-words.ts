/** Words that mean something else than a name where one is asked for; `?` asks for help. */
export const stopWords = ['exit', 'quit', 'stop', 'undo', 'help', 'list', '?'] as const;
