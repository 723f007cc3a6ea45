import Glibc

/// A temporary folder for uncompressed copies.
public final class ScratchFolder {
  /// The folder.
  public let path: String
  private var files: [String] = []

  /// Makes the folder.
  public init() {
    var template = Array("/tmp/workbench-bench-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
  }

  /// Writes a file and returns its path.
  public func write(_ bytes: [UInt8], name: String) throws -> String {
    let file = path + "/" + (name.split(separator: "/").last.map(String.init) ?? name)
    guard let stream = fopen(file, "w") else { throw FileBytesError.unreadable(file) }
    let written = fwrite(bytes, 1, bytes.count, stream)
    guard fclose(stream) == 0, written == bytes.count else { throw FileBytesError.unreadable(file) }
    if !files.contains(file) { files.append(file) }
    return file
  }

  /// Removes the files written into it.
  public func removeFiles() {
    for file in files { unlink(file) }
    files = []
  }

  /// Removes the folder and its contents.
  public func remove() {
    removeFiles()
    rmdir(path)
  }
}
