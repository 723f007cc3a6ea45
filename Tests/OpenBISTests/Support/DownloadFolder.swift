import Glibc
import PluginServer
import Synchronization
import Testing

/// A folder for downloaded files, removed with its owner.
final class DownloadFolder {
  let path: String

  init() throws {
    var name = Array("/tmp/openbis-download-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&name).map { String(cString: $0) })
  }

  deinit { remove(path) }

  private func remove(_ folder: String) {
    for name in names(in: folder) where unlink(folder + "/" + name) != 0 { remove(folder + "/" + name) }
    rmdir(folder)
  }

  private func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  var names: [String] { names(in: path) }

  func write(_ bytes: [UInt8], _ name: String) {
    let file = fopen(path + "/" + name, "w")
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  func bytes(_ name: String) -> [UInt8] {
    guard let file = fopen(path + "/" + name, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
  }
}

/// The requests that a server received.
final class RequestLog: Sendable {
  private let all = Mutex<[ServerRequest]>([])
  var requests: [ServerRequest] { all.withLock { $0 } }
  var ranges: [String] { requests.map { $0.header("Range") ?? "" } }

  /// Records a request and returns the number of requests so far.
  func note(_ request: ServerRequest) -> Int {
    all.withLock {
      $0.append(request)
      return $0.count
    }
  }
}
