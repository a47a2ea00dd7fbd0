import { Argument, type Command } from 'commander'
import { print, type Io } from '../io.ts'

/** `plumbline completion SHELL`. */
export function completionCommand(program: Command, io: Io): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      '\nExamples:\n  source <(plumbline completion bash)\n  plumbline completion fish > ~/.config/fish/completions/plumbline.fish',
    )
    .action((shell: 'bash' | 'zsh' | 'fish') => print(io, scriptFor(shell, wordsByCommand(program))))
}

/** For each command by its words (`app sync`), what may follow: subcommands and flags. */
export function wordsByCommand(program: Command): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const visit = (command: Command, above: readonly string[]): void => {
    const flags = command.options.flatMap((option) =>
      [option.long, option.short].filter((flag) => flag !== undefined && flag !== null),
    )
    found.set(above.join(' '), [...command.commands.map((child) => child.name()), ...flags, '--help'])
    for (const child of command.commands) visit(child, [...above, child.name()])
  }
  visit(program, [])
  return found
}

function scriptFor(shell: 'bash' | 'zsh' | 'fish', words: ReadonlyMap<string, readonly string[]>): string {
  const cases = [...words].map(([command, next]) => `    '${command}') echo '${next.join(' ')}' ;;`).join('\n')
  const table = `_plumbline_words() {\n  case "$1" in\n${cases}\n  esac\n}`
  // The path is the words so far that are no flags; what follows an argument completes as the command itself.
  const walk =
    'local path="" word; for word in "$@"; do [[ "$word" == -* ]] && continue; [[ -n "$(_plumbline_words "${path:+$path }$word")" ]] && path="${path:+$path }$word"; done'
  switch (shell) {
    case 'bash':
      return `${table}\n_plumbline_path() { ${walk}; echo "$path"; }\n_plumbline() {\n  local path; path="$(_plumbline_path "\${COMP_WORDS[@]:1:COMP_CWORD-1}")"\n  COMPREPLY=($(compgen -W "$(_plumbline_words "$path")" -- "\${COMP_WORDS[COMP_CWORD]}"))\n}\ncomplete -F _plumbline plumbline`
    case 'zsh':
      return `#compdef plumbline\n${table}\n_plumbline_path() { ${walk}; echo "$path"; }\n_plumbline() {\n  local path; path="$(_plumbline_path "\${words[@]:1:CURRENT-2}")"\n  compadd -- \${(s: :)"$(_plumbline_words "$path")"}\n}\ncompdef _plumbline plumbline`
    case 'fish':
      return fishScript(words)
  }
}

function fishScript(words: ReadonlyMap<string, readonly string[]>): string {
  return [...words]
    .flatMap(([command, next]) => {
      const seen = command.split(' ').filter((word) => word !== '')
      const condition =
        seen.length === 0
          ? '__fish_use_subcommand'
          : seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
      return next.map((word) =>
        word.startsWith('--')
          ? `complete -c plumbline -n '${condition}' -l ${word.slice(2)}`
          : word.startsWith('-')
            ? `complete -c plumbline -n '${condition}' -s ${word.slice(1)}`
            : `complete -c plumbline -n '${condition}' -f -a ${word}`,
      )
    })
    .join('\n')
}
