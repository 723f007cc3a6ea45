if CommandLine.arguments.dropFirst().first == "__terminal-demo" {
  TerminalDemo.start(Array(CommandLine.arguments.dropFirst(2)))
}
Program.start(Array(CommandLine.arguments.dropFirst()))
