/** Words that mean something else than a name where one is asked for; `?` asks for help. */
export const stopWords = ['exit', 'quit', 'stop', 'undo', 'help', 'list', '?'] as const;

/** What people type besides who think of a command, or of an answer. */
export const commandWords = [
  ...['q', 'bye', 'end', 'done', 'cancel', 'back', 'abort', 'finish', 'logout', 'login'],
  ...['ls', 'find', 'search', 'get', 'show', 'add', 'import', 'env', 'doctor', 'whoami'],
  ...['remove', 'delete', 'del', 'rm', 'update', 'edit', 'change', 'sell', 'clear', 'cls'],
  ...['y', 'n', 'yes', 'no', 'ok', 'enter', 'none', 'next', 'menu', 'man', 'fg', 'wq', 'x'],
] as const;
