import CHost

// Before anything opens a file.
chost_open_standard_streams()
// The arguments are removed in place: a slice would load additional types at every start.
var words = CommandLine.arguments
if !words.isEmpty { words.removeFirst() }
switch words.first {
case PluginProbeChild.word: PluginProbeChild.run(Array(words.dropFirst()))
case ShippedPlugins.word: ShippedPlugins.print()
case BatchChild.word: BatchChild.start(Array(words.dropFirst()))
case ServedChild.word: ServedChild.start(Array(words.dropFirst()))
case ConformanceChild.word: ConformanceChild.start(Array(words.dropFirst()))
case PluginTrialChild.word: PluginTrialChild.start(Array(words.dropFirst()))
case PluginMeasurementChild.word: PluginMeasurementChild.start(Array(words.dropFirst()))
case "__terminal-demo": TerminalDemo.start(Array(words.dropFirst()))
default: Program.start(words)
}
