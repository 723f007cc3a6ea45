internal import Glibc
public import PluginAPI

/// What is told of a file that a user named and that cannot be written.
extension WholeFileFailure {
  /// What kind of failure it is; the same as for files that the host writes.
  public var kind: ErrorReport.Kind {
    switch number {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM, EROFS: .refused
    default: .failure
    }
  }

  /// The reason in words, without an end.
  public var reason: String { number == EISDIR ? "it is a folder" : String(cString: strerror(number)).lowercased() }

  /// What to do about it; nil if the reason says enough.
  public var advice: String? {
    switch number {
    case ENOENT: "make its folder first"
    case EISDIR: "name a file in it"
    default: nil
    }
  }
}
