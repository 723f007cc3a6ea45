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
