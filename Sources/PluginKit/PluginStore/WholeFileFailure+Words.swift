internal import Glibc
public import PluginAPI

/// The messages for a file that a user named and that cannot be written.
extension WholeFileFailure {
  /// The kind of failure; the same as for files that the host writes.
  public var kind: ErrorReport.Kind {
    switch number {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM, EROFS: .refused
    default: .failure
    }
  }

  /// The reason in words, without a full stop.
  public var reason: String { number == EISDIR ? "it is a folder" : String(cString: strerror(number)).lowercased() }

  /// The suggested remedy; nil if the reason says enough.
  public var advice: String? {
    switch number {
    case ENOENT: "create its folder first"
    case EISDIR: "name a file in it"
    default: nil
    }
  }
}
