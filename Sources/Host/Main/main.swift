import Dispatch
internal import Glibc

switch CommandLine.arguments.dropFirst().first {
case PluginProbeChild.word: PluginProbeChild.run(Array(CommandLine.arguments.dropFirst(2)))
case "__terminal-demo":
  var options = TerminalDisplay.Options()
  options.graphics = CommandLine.arguments.dropFirst(2).first.flatMap(GraphicsMode.init(rawValue:))
  for name in ["TERM", "COLORTERM", "NO_COLOR"] {
    if let value = getenv(name) { options.environment[name] = String(cString: value) }
  }
  do {
    let demo = TerminalDemo(display: try TerminalDisplay(loop: HostEventLoop(), options: options))
    demo.draw()
    withExtendedLifetime(demo) { dispatchMain() }
  } catch {
    print(error)
    exit(1)
  }
default: Program.start(Array(CommandLine.arguments.dropFirst()))
}
