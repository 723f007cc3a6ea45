internal import CHost
import Glibc
import PluginAPI

/// A child process that opens a plugin library in place of the program: `workbench __serve PATH`.
///
/// It speaks the protocol of programs on its standard streams, in frames. The path is only for lists of processes;
/// `hello` names the library.
enum ServedChild {
  /// The argument that makes the program a child.
  static let word = "__serve"
  /// The lowest descriptor of the pipes to the host: code of plugins may write to low ones that it did not open.
  private static let lowestDescriptor: Int32 = 200

  /// Serves the library until the host closes standard input, and ends the process.
  @MainActor static func start(_ arguments: [String]) -> Never {
    signal(SIGPIPE, SIG_IGN)
    chost_become_child()
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, lowestDescriptor)
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, lowestDescriptor)
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    // Text that the plugin prints is logged with its errors.
    guard arguments.count == 1, input >= 0, output >= 0, nothing >= 0, dup2(nothing, STDIN_FILENO) >= 0,
      chost_replace_standard_output(STDERR_FILENO) >= 0
    else { chost_end(1) }
    close(nothing)
    let connection = ServedConnection(output: output)
    let plugin = ServedPlugin(connection)
    WorkQueue("workbench.served", isUrgent: true).async {
      connection.read(input) { plugin.receive($0) }
      MainQueue.async { plugin.end() }
    }
    MainQueue.run()
  }
}
