internal import CHost
import Glibc
import PluginAPI

/// The child's side of a probe: `workbench __probe PATH MEGABYTES`.
///
/// Opens the library, lets the plugin describe itself and writes the response in byte form to standard output: a record
/// with `contributions`, or with `error`.
enum PluginProbeChild {
  /// The argument that makes the program a probe.
  static let word = "__probe"

  /// Runs the probe and ends the process.
  ///
  /// - Parameter arguments: The library's path, and the megabytes of writable memory it may take.
  static func run(_ arguments: [String]) -> Never {
    chost_become_probe((arguments.last.flatMap(UInt64.init) ?? 0) << 20)
    // Text that the plugin prints is not part of the response.
    let answer = dup(1)
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    dup2(nothing, 1)
    let value: Value
    do {
      guard let path = arguments.first else { throw PluginRefusal.unreadable(path: "", "a file name is missing") }
      value = ["contributions": try describe(FilePath.absolute(path)).value]
    } catch {
      value = ["error": ((error as? any ReportableError)?.report ?? unexpected(error)).value]
    }
    let isWritten = HostFile.writeAll(value.encoded(), to: answer) == 0
    _exit(isWritten ? 0 : 1)
  }

  private static func describe(_ path: String) throws -> Contributions {
    // The parent judged owner and mode.
    let (bytes, _) = try FileTrust.read(path, isTrusted: true)
    let file: ELFFile
    do throws(ELFError) { file = try ELFFile(bytes) } catch { throw PluginRefusal.library(path: path, error) }
    guard let stamp = try PluginStamp(file, path: path) else { throw PluginRefusal.noStamp(path: path) }
    let (plugin, _) = try PluginLibrary.open(
      path, id: stamp.id, needs: LibraryNeeds(file), installation: .current)
    let contributions = plugin.contributions
    try ContributionsCheck.check(contributions, against: stamp)
    return contributions
  }

  private static func unexpected(_ error: any Error) -> ErrorReport {
    ErrorReport(code: "host.plugin-probe-failed", kind: .pluginFailed, "cannot examine the plugin: \(error)")
  }
}
