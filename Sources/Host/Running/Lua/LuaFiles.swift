import Glibc
import PluginAPI

/// The files that a script opens, and its modules.
struct LuaFiles: Sendable {
  private let permissions: LuaPermissions
  private let objects: LuaObjects
  /// The folder of the script, as its user names it; nil if the script is not a file.
  private let folder: String?
  /// The largest file that is read, in bytes.
  private let limit: Int

  /// Creates the files of a script.
  init(permissions: LuaPermissions, objects: LuaObjects, folder: String?, limit: Int) {
    self.permissions = permissions
    self.objects = objects
    self.folder = folder
    self.limit = limit
  }

  /// Opens a file.
  ///
  /// - Parameter mode: As of `io.open`.
  /// - Throws: ``LuaError`` or ``HostFileError``.
  func open(_ path: String, mode: String) throws -> LuaOpenedFile {
    switch mode {
    case "r", "rb": return .contents(try read(path))
    case "w", "wb": return .handle(try openForWriting(path, flags: O_CREAT, isEmptied: true))
    case "a", "ab": return .handle(try openForWriting(path, flags: O_CREAT | O_APPEND, isEmptied: false))
    default: throw LuaError.fileMode(mode)
    }
  }

  private func read(_ path: String) throws -> [UInt8] {
    try permissions.checkReading(path)
    let descriptor = try openRegular(path, O_RDONLY)
    defer { close(descriptor) }
    try permissions.checkReading(Self.path(of: descriptor) ?? path)
    return try HostFile.read(descriptor, path: path, limit: limit)
  }

  private func openForWriting(_ path: String, flags: Int32, isEmptied: Bool) throws -> UInt64 {
    let target = try permissions.checkWriting(path)
    // The name may have become a link since it was checked.
    let descriptor = try openRegular(target, O_WRONLY | O_NOFOLLOW | flags, named: path)
    do {
      // So may a folder.
      try permissions.checkWriting(Self.path(of: descriptor) ?? path)
      if isEmptied, ftruncate(descriptor, 0) != 0 { throw HostFileError.cannot(.write, path, code: errno) }
    } catch {
      close(descriptor)
      throw error
    }
    return try objects.keep(file: descriptor, path: path)
  }

  /// Opens a file that is not a device or pipe: those may block forever.
  private func openRegular(_ path: String, _ flags: Int32, named: String? = nil) throws(HostFileError) -> Int32 {
    let descriptor = try HostFile.open(path, flags | O_NONBLOCK, mode: HostFile.resultMode, named: named)
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return descriptor }
    close(descriptor)
    throw .special(named ?? path)
  }

  /// Returns the path of an open file, without links.
  private static func path(of descriptor: Int32) -> String? { FilePath.linkTarget("/proc/self/fd/\(descriptor)") }

  /// Returns the path and code of a module beside the script.
  ///
  /// - Throws: ``LuaError`` or ``HostFileError``.
  func module(_ name: String) throws -> (path: String, code: [UInt8]) {
    guard let folder else { throw LuaError.noFolder(module: name) }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy(Self.isModuleName) else { throw LuaError.moduleName(name) }
    let path = (folder.isEmpty ? "" : folder + "/") + parts.joined(separator: "/") + ".lua"
    guard let real = FilePath.real(path), let root = FilePath.real(folder.isEmpty ? "." : folder) else {
      throw LuaError.unknownModule(name, path: path)
    }
    guard FolderAccess.folders([root]).includes(real) else { throw LuaError.moduleName(name) }
    let descriptor = try openRegular(path, O_RDONLY)
    defer { close(descriptor) }
    return (path, LuaInterpreter.code(try HostFile.read(descriptor, path: path, limit: 1 << 24)))
  }

  private static func isModuleName(_ part: Substring) -> Bool {
    !part.isEmpty
      && part.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
          || $0 == 0x5F
      }
  }
}
