import type { ProgramNode, Value } from '../../program/command-tree.ts';
import { type CommandPath, listCommandPaths, listNames, listValueFlags } from './command-paths.ts';

/** The completion for bash 3.2 and newer. Options, commands and choices are in the script itself: no process is started for them. */
export function writeBashCompletion(program: ProgramNode): string {
  const commandPaths = listCommandPaths(program);
  const globals = program.globalOptions.map(({ long }) => long).join(' ');
  return `# petstore completion for bash
_petstore_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_petstore_environments() { _petstore_words "$(petstore env list -q 2>/dev/null)"; }
_petstore_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$cur"))
}
_petstore() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command=petstore given=0 i
  COMPREPLY=()
  # bash takes --flag=value for three words.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${listValueFlags(program).join('|')})
        if [[ \${COMP_WORDS[i + 1]} == = ]]; then i=$((i + 2)); else i=$((i + 1)); fi ;;
      -*) ;;
      *)
        case "$command \${COMP_WORDS[i]}" in
${indent(10, commandPaths.flatMap(matchSubcommands))}
          *) given=$((given + 1)) ;;
        esac ;;
    esac
  done
  case "$command $prev" in
${indent(
  4,
  commandPaths.flatMap(({ path, node }) =>
    node.options.flatMap((option) => matchValue(path, listNames(option), option.value)),
  ),
)}
${indent(
  4,
  program.globalOptions.flatMap((option) => matchValue('*', listNames(option), option.value)),
)}
  esac
  if [[ $cur == -* ]]; then
    case $command in
${indent(6, commandPaths.map(offerOptions))}
    esac
    _petstore_words "$own ${globals}"
    return
  fi
  case "$command $given" in
${indent(4, commandPaths.flatMap(offerWords))}
  esac
}
complete -F _petstore petstore
`;
}

function indent(width: number, lines: readonly string[]): string {
  return lines.map((line) => ' '.repeat(width) + line).join('\n');
}

function matchSubcommands({ path, node }: CommandPath): string[] {
  return node.commands.map(({ name, aliases }) => {
    const words = [name, ...aliases].map((word) => `'${path} ${word}'`);
    return `${words.join('|')}) command='${path} ${name}' ;;`;
  });
}

/** A path of `*` stands for every command. */
function matchValue(path: string, names: readonly string[], value: Value | undefined): string[] {
  if (value === undefined) return [];
  const start = path === '*' ? "*' " : `'${path} `;
  return [
    `${names.map((name) => `${start}${name}'`).join('|')}) ${completeValue(value)}; return ;;`,
  ];
}

function offerOptions({ path, node }: CommandPath): string {
  return `'${path}') local own='${node.options.map(({ long }) => long).join(' ')}' ;;`;
}

function offerWords({ path, node }: CommandPath): string[] {
  if (node.commands.length > 0) {
    const words = node.commands.map(({ name }) => name).join(' ');
    return [`'${path} 0') _petstore_words '${words}' ;;`];
  }
  return node.arguments.map(({ value }, index) => `'${path} ${index}') ${completeValue(value)} ;;`);
}

function completeValue({ kind, choices }: Value): string {
  const words = {
    choice: `_petstore_words '${choices.join(' ')}'`,
    environment: '_petstore_environments',
    file: '_petstore_files',
    other: ':',
  };
  return words[kind];
}
