import Foundation
import TestSupport
import Testing

/// The command line as people and scripts use it: completion in a real shell, scripts as programs.
struct CommandLineShellTests {
  private func bash(_ script: String) throws -> String {
    let home = try TemporaryFolder()
    return try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/bash"), ["--norc", "-c", "cd \"$WORKBENCH_HOME\"\n" + script],
      environment: ["PATH": BuiltProgram.folder.path + ":/usr/bin:/bin", "WORKBENCH_HOME": home.path.path],
      inheritsEnvironment: false
    ).output
  }

  /// Returns bash's completions for the last word.
  private func completions(_ words: String...) throws -> [Substring] {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let text = try bash(
      "source <(workbench completion bash); COMP_WORDS=(workbench \(list)); COMP_CWORD=\(words.count); _workbench; "
        + "printf '%s\\n' \"${COMPREPLY[@]}\"")
    return text.split(separator: "\n")
  }

  @Test func `bash completes commands, options, choices and folders`() throws {
    #expect(try completions("conf") == ["config"])
    #expect(try completions("config", "ex") == ["explain"])
    #expect(try completions("config", "list", "--js") == ["--json", "--jsonl"])
    #expect(try completions("--color", "al") == ["always"])
    #expect(try completions("--color", "=", "ne") == ["never"])
    #expect(try completions("completion", "") == ["bash", "zsh", "fish", "nu"])
    #expect(try completions("version", "--home", "/et") == ["/etc"])
    #expect(try completions("open", "/etc/pass").contains("/etc/passwd"))
  }

  @Test func `bash receives a plugin's suggestions escaped, so that nothing runs`() throws {
    let folder = try TemporaryFolder()
    try folder.write(try PluginFixture.misbehaving.get(), "libMisbehaving.so")
    let text = try bash(
      """
      export WORKBENCH_PLUGIN_PATH=\(folder.path.path)
      source <(workbench completion bash)
      complete_words() { COMP_WORDS=(workbench misbehaving choose "$1"); COMP_CWORD=3; _workbench; }
      complete_words ''
      printf '%s\\n' "${COMPREPLY[@]}"
      for word in "${COMPREPLY[@]}"; do eval "printf '<%s>' $word"; done
      complete_words 'two\\ w'
      printf '\\n%s\\n' "${COMPREPLY[@]}"
      complete_words "'two w"
      printf '%s\\n' "${#COMPREPLY[@]}"
      [ -e touched ] || echo nothing ran
      """)
    #expect(
      text == """
        \\$\\(touch\\ touched\\)
        two\\ words
        plain
        <$(touch touched)><two words><plain>
        two\\ words
        0
        nothing ran

        """)
  }

  @Test(
    .enabled(if: ["/bin/zsh", "/usr/bin/zsh"].contains { FileManager.default.fileExists(atPath: $0) }, "no zsh here"))
  func `zsh parses its completion script`() throws {
    #expect(try bash("workbench completion zsh | zsh -n && echo well") == "well\n")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/fish"), "no fish here"))
  func `fish parses its completion script`() throws {
    #expect(try bash("workbench completion fish | fish -n && echo well") == "well\n")
  }

  @Test func `a script with a shebang line runs as a program`() throws {
    let text = try bash(
      """
      file=$(mktemp); printf '#!/usr/bin/env -S workbench script\\nconfig get "$1"\\nhelp statuses --csv\\n' > $file
      chmod +x $file; $file color | head -2; rm $file
      """)
    #expect(text == "auto\nstatus,meaning\r\n")
  }

  @Test func `a recording can be run again`() throws {
    let text = try bash(
      """
      file=$(mktemp); workbench config set color never --record $file; cat $file
      workbench config unset color; workbench script $file; workbench config get color; rm $file
      """)
    #expect(text == "config set color never\nnever\n")
  }

  @Test func `help works without a terminal`() throws {
    let run = try CommandLineProcess.run("--help")
    #expect(run.status == 0 && run.output.contains("Usage:"))
  }
}
