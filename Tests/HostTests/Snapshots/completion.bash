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
