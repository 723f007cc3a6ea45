import Glibc
import PluginAPI
import PluginStore

/// A structure file on disk, with its bytes and its structure.
struct StructureSource: Sendable {
  /// The bytes of the file.
  var bytes: [UInt8]
  /// The name of the format, as in ``StructureFile/formats``.
  var format: String
  var structure: Structure

  /// Reads a file from memory.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file, plain or gzipped.
  ///   - name: The file's name, for messages only.
  ///   - limits: The limits of uncompressed content.
  /// - Throws: ``StructureReadingError`` if none of it can be read.
  init(bytes: [UInt8], name: String, limits: ReadingLimits = ReadingLimits()) throws(StructureReadingError) {
    let read = try StructureFile.readWithFormat(bytes: bytes, name: name, limits: limits)
    structure = read.structure
    format = read.format.name
    self.bytes = bytes
  }

  /// The largest size of files, in bytes: 2 GiB.
  static let sizeLimit = 1 << 31

  /// Returns the bytes of a file.
  ///
  /// - Throws: ``FileError``.
  static func bytes(ofFile path: String) throws(FileError) -> [UInt8] {
    // Without waiting: a FIFO or a device must not block before it is recognized as not a file.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(path: path, number: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(path: path, number: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    guard status.st_size <= sizeLimit else { throw .tooLarge(path: path, limit: sizeLimit) }
    let size = Int(status.st_size)
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, filled in
      LargePages.advise(UnsafeMutableRawBufferPointer(room))
      while filled < size {
        let count = read(descriptor, room.baseAddress.map { $0 + filled }, size - filled)
        if count < 0, errno == EINTR { continue }
        if count < 0 { failure = errno }
        if count <= 0 { return }
        filled += count
      }
    }
    if let failure { throw FileError(path: path, number: failure) }
    return bytes
  }

  /// Returns true if a file of that name exists.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns true if a folder of that name exists.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the names in a folder, sorted; none if it cannot be read.
  static func names(inFolder path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}

/// An error of reading a file.
enum FileError: Error, Equatable {
  case missing(path: String)
  case refused(path: String)
  case notAFile(path: String)
  case tooLarge(path: String, limit: Int)
  case failed(path: String, reason: String)

  init(path: String, number: Int32) {
    switch number {
    case ENOENT, ENOTDIR: self = .missing(path: path)
    case EACCES, EPERM: self = .refused(path: path)
    default: self = .failed(path: path, reason: String(cString: strerror(number)))
    }
  }
}

/// Large pages for memory that is about to be filled, which need hundreds of times fewer page faults.
private enum LargePages {
  /// The size of a large page of x86-64 and AArch64 in bytes.
  private static let size = 1 << 21

  /// Requests large pages for the part of a memory range that consists of whole ones.
  ///
  /// This is only a hint: a kernel without large pages ignores it.
  static func advise(_ memory: UnsafeMutableRawBufferPointer) {
    guard memory.count >= 2 * size, let base = memory.baseAddress else { return }
    let start = base.alignedUp(toMultipleOf: size)
    let end = (base + memory.count).alignedDown(toMultipleOf: size)
    if start < end { madvise(start, end - start, MADV_HUGEPAGE) }
  }
}

/// A file that is written atomically: it appears under its name only when complete.
enum ExportFile {
  static let exists = DeclaredError(
    "molecules.file-exists", .refused, "the output file exists already; nothing was written")
  static let notWritten = DeclaredError("molecules.file-not-written", .failure, "the output file cannot be written")

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - replacing: True to replace a file of that name.
  /// - Throws: ``exists``, ``notWritten``; an existing file is unchanged then.
  static func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws(ErrorReport) {
    if !replacing, StructureSource.exists(path) {
      throw exists(
        "file '\(path)' exists already", advice: "name another file with '--output', or the same one to overwrite it",
        details: ["file": .text(path)])
    }
    try WholeFile.writeOutput(bytes, to: path, notWritten)
  }
}
