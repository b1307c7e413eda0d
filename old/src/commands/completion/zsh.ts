import type {
  ArgumentNode,
  CommandNode,
  OptionNode,
  ProgramNode,
  Value,
} from '../../program/command-tree.ts';
import { type CommandPath, listCommandPaths } from './command-paths.ts';

/** The completion for zsh, for `eval` in .zshrc and as a file `_petstore` on the fpath alike. */
export function writeZshCompletion(program: ProgramNode): string {
  const commandPaths = listCommandPaths(program);
  return `#compdef petstore
_petstore_environments() {
  local -a names=(\${(f)"$(petstore env list -q 2>/dev/null)"})
  _describe -t environments environment names
}
${commandPaths.map((commandPath) => writeFunction(commandPath, program.globalOptions)).join('')}
if [[ \${funcstack[1]} == _petstore ]]; then _petstore "$@"; else compdef _petstore petstore; fi
`;
}

/** One function per command; that of a group passes the rest of the line to those of its commands. */
function writeFunction({ path, node }: CommandPath, globals: readonly OptionNode[]): string {
  const specs = [...node.options, ...globals].flatMap(describeOption);
  const isGroup = node.commands.length > 0;
  const words = isGroup
    ? ["'1: :->command'", "'*:: :->rest'"]
    : node.arguments.map(describeArgument);
  return `${functionNameFor(path)}() {
  local curcontext=$curcontext context state state_descr line
  local -A opt_args
  _arguments -C -s \\
    ${[...specs, ...words].join(' \\\n    ')}${isGroup ? writeStates(path, node) : ''}
}
`;
}

function writeStates(path: string, { commands }: CommandNode): string {
  const described = commands.map(({ name, summary }) => quote(`${name}:${summary}`));
  const cases = commands.map(({ name, aliases }) => {
    return `${[name, ...aliases].join('|')}) ${functionNameFor(`${path} ${name}`)} ;;`;
  });
  return `
  case $state in
    command)
      local -a commands=(${described.join(' ')})
      _describe -t commands command commands ;;
    rest)
      case $line[1] in
        ${cases.join('\n        ')}
      esac ;;
  esac`;
}

/** Every option may be offered again: which ones may be repeated is for the program to say. */
function describeOption({ long, short, description, value }: OptionNode): string[] {
  const end = value === undefined ? '' : `: :${completeValue(value)}`;
  const text = quote(`[${description.replace(/[[\]\\]/g, '\\$&')}]${end}`);
  const names = value === undefined ? [long, short] : [`${long}=`, short && `${short}+`];
  return names.flatMap((name) => (name === undefined ? [] : [`'*${name}'${text}`]));
}

function describeArgument({ usage, value }: ArgumentNode): string {
  const name = usage.replace(/[^\w ]/g, '');
  return quote(`${usage.startsWith('[') ? '::' : ':'}${name}:${completeValue(value)}`);
}

function completeValue({ kind, choices }: Value): string {
  const words = {
    choice: `(${choices.join(' ')})`,
    environment: '_petstore_environments',
    file: '_files',
    other: ' ',
  };
  return words[kind];
}

function functionNameFor(path: string): string {
  return `_${path.replaceAll(' ', '_')}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
