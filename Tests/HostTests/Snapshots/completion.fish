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
