import PluginAPI

/// What kind of failure the system's words about a file are.
///
/// Errors keep the words alone, which are those of the C locale: nobody sets another.
enum SystemReason {
  static func kind(_ reason: String) -> ErrorReport.Kind {
    switch reason {
    case "No such file or directory", "Not a directory": .notFound
    case "Permission denied", "Operation not permitted", "Read-only file system": .refused
    case "it is no plain file": .unusableInput
    default: .failure
    }
  }
}
