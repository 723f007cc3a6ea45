import Glibc

/// Copies a folder of resources: plain files and folders only, bounded in number, size and depth.
struct ResourceCopy {
  private static let mostFiles = 20_000
  private static let mostBytes = 2 << 30
  private static let deepest = 16
  private var files = 0
  private var bytes = 0

  /// Copies a folder with all it holds, durably.
  static func copy(_ source: String, to target: String) throws {
    var copy = ResourceCopy()
    try copy.folder(source, target, depth: 0)
  }

  private mutating func folder(_ source: String, _ target: String, depth: Int) throws {
    if depth > Self.deepest { throw InstallError.badResource(path: source, reason: "folders are nested too deeply") }
    try HostFile.makeFolder(target)
    for name in PluginScan.names(in: source) {
      let (from, to) = (source + "/" + name, target + "/" + name)
      var status = stat()
      guard lstat(from, &status) == 0 else { throw InstallError.badResource(path: from, reason: FilePath.lastError) }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try folder(from, to, depth: depth + 1)
      case S_IFREG: try file(from, to, size: Int(status.st_size))
      default: throw InstallError.badResource(path: from, reason: "it is neither a file nor a folder")
      }
    }
    HostFile.synchronize(folder: target)
  }

  private mutating func file(_ source: String, _ target: String, size: Int) throws {
    files += 1
    bytes += size
    if files > Self.mostFiles || bytes > Self.mostBytes {
      throw InstallError.badResource(path: source, reason: "there are too many resources")
    }
    let (content, _) = try FileTrust.read(source, isTrusted: true)
    try HostFile.write(content, to: target)
  }
}
