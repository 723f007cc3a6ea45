internal import CHost
import Glibc
import PluginAPI
import Synchronization

/// A socket in the file system on which `serve` listens, for processes of the same user.
final class ServeSocket: Sendable {
  /// The maximum number of connections at a time.
  private static let mostClients = 32
  /// The maximum number of connections that wait to be accepted.
  private static let backlog: Int32 = 64

  private let path: String
  private let descriptor: Int32
  /// The file, which another process may have replaced since.
  private let identity: (device: UInt, number: UInt)
  private let clients = Atomic(0)

  /// Listens on a socket; one that a killed process left behind is replaced.
  ///
  /// - Throws: ``ServeError``, ``HostFileError``.
  init(path: String) throws {
    let path = FilePath.absolute(path)
    self.path = path
    try Self.checkFolder(of: path)
    guard let address = SocketAddress(path) else {
      throw ServeError.badSocket(path, reason: "the path is too long", advice: "use a path of at most 107 bytes")
    }
    // Another server may begin at this moment.
    descriptor = try HostFile.whileAlone(with: path) {
      try Self.removeLeftOver(path, address)
      return try Self.listen(path, address)
    }
    var status = stat()
    lstat(path, &status)
    identity = (UInt(status.st_dev), UInt(status.st_ino))
  }

  /// Serves connections until ``stop()`` is called or the task is canceled, then removes the socket.
  ///
  /// - Parameter serve: Serves a connection to its end; the descriptor is closed afterwards.
  func serve(_ serve: @escaping @Sendable (Int32) async -> Void) async {
    let (connections, arrivals) = AsyncStream.makeStream(of: Int32.self)
    WorkQueue("workbench.serve-socket", isUrgent: true).async {
      self.accept { arrivals.yield($0) }
      arrivals.finish()
    }
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        for await connection in connections {
          group.addTask {
            await serve(connection)
            Glibc.close(connection)
            self.clients.subtract(1, ordering: .relaxed)
          }
        }
        self.stop()
        self.remove()
        group.cancelAll()
      }
    } onCancel: {
      stop()
    }
    close(descriptor)
  }

  /// Accepts no more connections, which ends ``serve(_:)``.
  func stop() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func accept(_ begin: (Int32) -> Void) {
    while true {
      let connection = chost_accept(descriptor)
      if connection < 0 {
        if [EINTR, ECONNABORTED].contains(errno) { continue }
        // For lack of descriptors: some may be free soon.
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
          usleep(10_000)
          continue
        }
        return
      }
      let count = clients.add(1, ordering: .relaxed).newValue
      if Self.isUsers(connection), count <= Self.mostClients {
        begin(connection)
      } else {
        clients.subtract(1, ordering: .relaxed)
        close(connection)
      }
    }
  }

  /// Returns true if the process at the other end belongs to the user.
  ///
  /// - Source: unix(7), SO_PEERCRED: process, user and group, 32 bits each.
  private static func isUsers(_ connection: Int32) -> Bool {
    var identity: [UInt32] = [0, .max, 0]
    var size = socklen_t(identity.count * MemoryLayout<UInt32>.size)
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &identity, &size) == 0 && identity[1] == geteuid()
  }

  private func remove() {
    var status = stat()
    guard lstat(path, &status) == 0, identity == (UInt(status.st_dev), UInt(status.st_ino)) else { return }
    unlink(path)
  }

  private static func checkFolder(of path: String) throws(ErrorReport) {
    let folder = FilePath.folder(of: path)
    do throws(ErrorReport) {
      try FileTrust.checkFolder(folder)
      // In a folder that everyone may write to, such as /tmp, no one can be kept out.
      try FileTrust.checkFolder(FilePath.real(folder) ?? folder, insideChecked: true)
    } catch {
      if let reason = PluginRefusal.unsafeReason(error), let advice = error.advice {
        throw ServeError.badSocket(path, reason: reason, advice: "name a folder of your own, or \(advice)")
      }
      throw ServeError.badSocket(path, reason: error.report.message, advice: "name a folder that exists")
    }
  }

  /// Removes the socket of a server that has ended.
  private static func removeLeftOver(_ path: String, _ address: SocketAddress) throws(ErrorReport) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
      throw ServeError.badSocket(
        path, reason: "the path is a file that is not your socket", advice: "name another path")
    }
    // Without waiting: a server whose queue of connections is full is in use.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let connection = socket(AF_UNIX, kind, 0)
    defer { close(connection) }
    if address.use({ connect(connection, $0, $1) }) == 0 || errno != ECONNREFUSED { throw ServeError.socketInUse(path) }
    unlink(path)
  }

  private static func listen(_ path: String, _ address: SocketAddress) throws(ErrorReport) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    // Nobody can connect before it listens.
    guard descriptor >= 0, address.use({ bind(descriptor, $0, $1) }) == 0, chmod(path, 0o600) == 0,
      Glibc.listen(descriptor, backlog) == 0
    else {
      let reason = FilePath.lastError.lowercased()
      if descriptor >= 0 { close(descriptor) }
      throw ServeError.badSocket(path, reason: reason, advice: "name another path")
    }
    return descriptor
  }
}

/// The address of a socket in the file system.
struct SocketAddress {
  private var name = sockaddr_un()

  /// Creates the address of a path; nil if it is too long.
  init?(_ path: String) {
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let isShort = withUnsafeMutableBytes(of: &name.sun_path) { buffer in
      guard bytes.count < buffer.count else { return false }
      buffer.copyBytes(from: bytes)
      return true
    }
    if !isShort { return nil }
  }

  /// Calls a function of the system with the address.
  func use(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
