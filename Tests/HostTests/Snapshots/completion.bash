# Completion of workbench for bash: source <(workbench completion bash)
_workbench() {
  local current=${COMP_WORDS[COMP_CWORD]} word meaning extension file
  COMPREPLY=()
  while IFS=$'\t' read -r word meaning; do
    case $word in
      :folders)
        compopt -o filenames 2>/dev/null
        while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$current")
        ;;
      :files)
        compopt -o filenames 2>/dev/null
        while IFS= read -r file; do
          if [[ -z $meaning || -d $file ]]; then COMPREPLY+=("$file"); continue; fi
          for extension in $meaning; do
            if [[ ${file,,} == *."$extension" ]]; then COMPREPLY+=("$file"); break; fi
          done
        done < <(compgen -f -- "$current")
        ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <("${COMP_WORDS[0]}" __complete --shell bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _workbench workbench
