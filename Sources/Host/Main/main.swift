if CommandLine.arguments.dropFirst().first == PluginProbeChild.word {
  PluginProbeChild.run(Array(CommandLine.arguments.dropFirst(2)))
}
Program.start(Array(CommandLine.arguments.dropFirst()))
