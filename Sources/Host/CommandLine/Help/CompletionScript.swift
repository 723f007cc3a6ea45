/// The completion scripts for shells.
///
/// Each runs the hidden command `__complete`, which prints a line per candidate: the word, a tab, its meaning; `:files
/// EXT …` and `:folders` leave completion to the shell.
enum CompletionScript: String, CaseIterable, Sendable {
  case bash, zsh, fish, nu

  /// The script.
  var text: String {
    switch self {
    case .bash: Self.bashText
    case .zsh: Self.zshText
    case .fish: Self.fishText
    case .nu: Self.nuText
    }
  }

  private static let bashText = #"""
    # Completion of workbench for bash: source <(workbench completion bash)
    _workbench() {
      local current=${COMP_WORDS[COMP_CWORD]} word meaning extension file isFile=
      local -a values=()
      COMPREPLY=()
      while IFS=$'\t' read -r word meaning; do
        case $word in
          :folders)
            isFile=1
            compopt -o filenames 2>/dev/null
            while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$current")
            ;;
          :files)
            isFile=1
            compopt -o filenames 2>/dev/null
            while IFS= read -r file; do
              if [[ -z $meaning || -d $file ]]; then COMPREPLY+=("$file"); continue; fi
              for extension in $meaning; do
                if [[ ${file,,} == *."$extension" ]]; then COMPREPLY+=("$file"); break; fi
              done
            done < <(compgen -f -- "$current")
            ;;
          *) values+=("$word") ;;
        esac
      done < <("${COMP_WORDS[0]}" __complete --shell bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      # Bash quotes words itself where they may be files.
      for word in "${values[@]}"; do
        if [[ ! $isFile && $word == *[!a-zA-Z0-9_@%+=:,./-]* ]]; then
          [[ $current == [\'\"]* ]] && continue
          printf -v word %q "$word"
        fi
        COMPREPLY+=("$word")
      done
    }
    complete -F _workbench workbench
    """#

  private static let zshText = #"""
    #compdef workbench
    # Completion of workbench for zsh: source <(workbench completion zsh), or save as _workbench in a folder of $fpath.
    _workbench() {
      local word meaning tab=$'\t'
      local -a candidates extensions
      while IFS=$'\t' read -r word meaning; do
        case $word in
          :folders) _files -/ ;;
          :files)
            extensions=(${=meaning})
            if (( $#extensions )); then _files -g "*.(#i)(${(j:|:)extensions})(-.)"; else _files; fi
            ;;
          *)
            word=${word//\\/\\\\}
            candidates+=("${word//:/\\:}:$meaning")
            ;;
        esac
      done < <("${words[1]}" __complete --shell zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)
      (( $#candidates )) && _describe -V workbench candidates
    }
    if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _workbench "$@"; else compdef _workbench workbench; fi
    """#

  private static let fishText = #"""
    # Completion of workbench for fish: workbench completion fish | source
    function __workbench_complete
        set -l words (commandline -opc) (commandline -ct)
        for line in ($words[1] __complete --shell fish -- $words[2..-1] 2>/dev/null)
            set -l parts (string split -m 1 \t -- $line)
            switch $parts[1]
                case ':folders'
                    __fish_complete_directories (commandline -ct)
                case ':files'
                    if test -z "$parts[2]"
                        __fish_complete_path (commandline -ct)
                    else
                        for extension in (string split ' ' -- $parts[2])
                            __fish_complete_suffix .$extension
                        end
                    end
                case '*'
                    printf '%s\n' $line
            end
        end
    end
    complete -c workbench -f -a '(__workbench_complete)'
    """#

  /// The script for Nushell, written after its documentation: Debian 12 has no Nushell to run it.
  ///
  /// Nushell has one completer for all external programs, so the one before is called for the others. Null leaves
  /// completion to Nushell, which then lists files.
  /// - Source: https://www.nushell.sh/cookbook/external_completers.html (2026-11-28)
  private static let nuText = #"""
    # Completion of workbench for Nushell: workbench completion nu | save --force workbench.nu
    # Then add to config.nu, after any other completer: source workbench.nu
    let workbench_next = $env.config.completions?.external?.completer?
    $env.config.completions.external.enable = true
    $env.config.completions.external.completer = {|spans|
      if ($spans.0 | path basename) != "workbench" {
        if $workbench_next == null { null } else { do $workbench_next $spans }
      } else {
        let answer = (do { ^($spans.0) __complete --shell nu -- ...($spans | skip 1) } | complete)
        let rows = ($answer.stdout | lines | each {|line|
          let parts = ($line | split row --number 2 (char tab))
          { value: $parts.0, description: ($parts.1? | default "") }
        })
        let words = ($rows | where {|row| $row.value not-in [":files" ":folders"] })
        if ($words | is-empty) and ($rows | is-not-empty) { null } else { $words }
      }
    }
    """#
}
