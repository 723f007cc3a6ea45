import PluginAPI

if CommandLine.arguments.dropFirst().first == PluginProbeChild.word {
  PluginProbeChild.run(Array(CommandLine.arguments.dropFirst(2)))
}
print("workbench 0.1.0, contract \(PluginEntry.contractRevision)")
