import Glibc
import OpenBIS
import PluginAPI
import PluginTesting

/// A separate process for tests of killed refreshes: runs commands of the plugin with a folder that is kept.
@main enum LabSyncer {
  /// Runs the arguments `HOME RESOURCES LINE…`: each line is a command such as `sync --full`.
  ///
  /// Writes a `b` to standard output before the last line, and an `e` after it.
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count > 3, let plugin = PluginEntry.unbox(workbenchPluginEntry()) else { exit(2) }
    do {
      let host = try await TestPlugin(plugin, resources: arguments[2], isOffline: false, home: arguments[1])
      for (index, line) in arguments.enumerated().dropFirst(3) {
        let isLast = index == arguments.count - 1
        if isLast { tell("b") }
        _ = try await host.run(line: line)
        if isLast { tell("e") }
      }
    } catch {
      let words = (error as? any ReportableError)?.report.description ?? "\(error)"
      print(words)
      exit(1)
    }
  }

  private static func tell(_ letter: StaticString) {
    _ = letter.withUTF8Buffer { write(1, $0.baseAddress, 1) }
  }
}
