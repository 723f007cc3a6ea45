switch CommandLine.arguments.dropFirst().first {
case PluginProbeChild.word: PluginProbeChild.run(Array(CommandLine.arguments.dropFirst(2)))
case "__terminal-demo": TerminalDemo.start(Array(CommandLine.arguments.dropFirst(2)))
default: Program.start(Array(CommandLine.arguments.dropFirst()))
}
