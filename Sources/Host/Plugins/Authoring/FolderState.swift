import Glibc

/// The files of a plugin's folder at a point in time: those that ``FolderWatch`` watches.
struct FolderState: Sendable, Equatable {
  /// The extensions of files that people write and a build reads.
  private static let sourceExtensions: Set<String> = [
    "c", "cc", "cpp", "go", "h", "hpp", "jl", "js", "lua", "m", "mjs", "modulemap", "pl", "py", "r", "R", "rb", "rs",
    "sh", "swift", "ts",
  ]
  /// The folders below that are read, against loops of mounts.
  private static let deepest = 100

  private struct File: Equatable {
    var identity: FileIdentity
    var isExecutable: Bool
  }

  private var files: [String: File] = [:]

  /// Reads the state of the files in a folder and those below.
  init(of folder: String) { read(folder, depth: 0) }

  private mutating func read(_ folder: String, depth: Int) {
    for name in PluginScan.names(in: folder) where FolderWatch.isWatched(name) {
      let path = folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        if depth < Self.deepest { read(path, depth: depth + 1) }
      } else {
        files[path] = File(identity: FileIdentity(status), isExecutable: status.st_mode & 0o111 != 0)
      }
    }
  }

  /// Returns true if a source file differs from that of another state; files such as results of tests are ignored.
  func hasOtherSources(than other: FolderState) -> Bool {
    isSourceMissing(in: other) || other.isSourceMissing(in: self)
  }

  /// Returns true if this state has a source file that another state lacks or has in another version.
  private func isSourceMissing(in other: FolderState) -> Bool {
    files.contains { path, file in
      (file.isExecutable || Self.isSource(path)) && other.files[path] != file
    }
  }

  private static func isSource(_ path: String) -> Bool {
    let name = FilePath.name(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return sourceExtensions.contains(String(name[name.utf8.index(after: dot)...]))
  }
}
