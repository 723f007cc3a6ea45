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
