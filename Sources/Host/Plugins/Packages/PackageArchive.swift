internal import CHost
import Glibc

/// A package: a ZIP file with a plugin, under rules that exclude surprises.
///
/// Names are relative, without `..`, and differ also on systems that fold their case. Entries are plain files and
/// folders: no links, devices or setuid. Files follow each other without gaps and both of their headers agree, so that
/// every reader finds the same files.
/// - Source: PKWARE, APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
struct PackageArchive: Sendable {
  /// A file in the archive.
  struct Entry: Sendable, Hashable {
    var name: String
    var isExecutable: Bool
    /// The size of the content, in bytes.
    var size: Int
    fileprivate var isDeflated: Bool
    fileprivate var checksum: UInt32
    fileprivate var data: Range<Int>
  }

  /// The extension of file names.
  static let fileExtension = "wbplugin"
  /// The maximum number of bytes of a package.
  static let largest = 512 << 20
  /// The maximum number of bytes of all files together.
  static let mostContent = 1 << 30
  /// The largest ratio of content to compressed bytes, for files above a megabyte.
  static let largestRatio = 200

  /// The files, in the order of the archive.
  let entries: [Entry]
  private let bytes: [UInt8]

  /// Returns a Boolean value indicating whether bytes begin like a ZIP file.
  static func isArchive(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

  /// Returns a Boolean value indicating whether a file is a package or the signature of one, by its name.
  static func isNamed(_ name: String) -> Bool {
    let end = "." + fileExtension
    return name.hasSuffix(end) || name.hasSuffix(end + MinisignSignature.fileExtension)
  }

  /// Reads the directory of an archive, and checks all rules but the checksums.
  init(_ bytes: [UInt8]) throws(PackageError) {
    guard Self.isArchive(bytes) else { throw .damaged("it does not begin as a ZIP file") }
    guard bytes.count <= Self.largest else { throw .tooLarge("it has more than \(Self.largest >> 20) MiB") }
    var reader = ArchiveReader(bytes)
    entries = try reader.entries()
    self.bytes = bytes
  }

  /// Returns the content of a file.
  func content(of entry: Entry) throws(PackageError) -> [UInt8] {
    var content = Array(bytes[entry.data])
    if entry.isDeflated {
      let packed = content
      var outcome = chost_deflate_done
      content = [UInt8](unsafeUninitializedCapacity: entry.size) { room, count in
        outcome = chost_inflate(packed, packed.count, room.baseAddress, entry.size)
        count = outcome == chost_deflate_done ? entry.size : 0
      }
      if outcome == chost_deflate_unusable { throw .noCompression }
      guard outcome == chost_deflate_done else { throw .damaged("the compressed bytes of '\(entry.name)' are damaged") }
    }
    guard chost_crc32(content, content.count) == entry.checksum else {
      throw .damaged("the checksum of '\(entry.name)' is wrong")
    }
    return content
  }
}

/// The parts of the format.
private enum ZIP {
  static let fileHeader: UInt32 = 0x0403_4B50
  static let directoryHeader: UInt32 = 0x0201_4B50
  static let directoryEnd: UInt32 = 0x0605_4B50
  static let fileHeaderSize = 30
  static let directoryHeaderSize = 46
  static let directoryEndSize = 22
  static let stored: UInt16 = 0
  static let deflated: UInt16 = 8
  /// Names in UTF-8.
  static let unicodeFlag: UInt16 = 0x0800
  /// The compressor's effort, which readers ignore, and names in UTF-8.
  static let knownFlags: UInt16 = 0x0806
  /// The bit of MS-DOS for folders.
  static let folderAttribute: UInt32 = 0x10
}

/// Reads the structure of an archive from untrusted bytes.
private struct ArchiveReader {
  /// The fields that both headers of a file have.
  private struct Fields: Equatable {
    var flags: UInt16
    var method: UInt16
    var checksum: UInt32
    var packedSize: UInt32
    var size: UInt32
    var name: ArraySlice<UInt8>
  }

  private let bytes: [UInt8]
  private var names = PackageNames()
  private var total = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads all files, and checks that they and the directory fill the archive.
  mutating func entries() throws(PackageError) -> [PackageArchive.Entry] {
    let end = bytes.count - ZIP.directoryEndSize
    guard end > 0, number(at: end, UInt32.self) == ZIP.directoryEnd, number(at: end + 20, UInt16.self) == 0 else {
      throw .damaged("it is truncated, or something follows its directory")
    }
    let count = number(at: end + 10, UInt16.self)
    guard number(at: end + 4, UInt32.self) == 0, number(at: end + 8, UInt16.self) == count else {
      throw .damaged("it has several parts")
    }
    let (size, start) = (Int(number(at: end + 12, UInt32.self)), Int(number(at: end + 16, UInt32.self)))
    guard start + size == end else { throw .damaged("its directory is not where its end says") }
    var entries: [PackageArchive.Entry] = []
    var (header, file) = (start, 0)
    for _ in 0..<count {
      if let entry = try self.entry(&header, &file, directory: start..<end) { entries.append(entry) }
    }
    guard header == end, file == start else { throw .damaged("there are bytes that belong to none of its files") }
    return entries
  }

  /// Reads an entry of the directory and the header of its file.
  ///
  /// - Parameters:
  ///   - header: The offset of the entry; afterwards that of the next.
  ///   - file: The offset of the file; afterwards the end of its data.
  /// - Returns: The file; nil for a folder.
  private mutating func entry(
    _ header: inout Int, _ file: inout Int, directory: Range<Int>
  ) throws(PackageError) -> PackageArchive.Entry? {
    guard header + ZIP.directoryHeaderSize <= directory.upperBound,
      number(at: header, UInt32.self) == ZIP.directoryHeader,
      let fields = self.fields(at: header + 8, name: header + ZIP.directoryHeaderSize, before: directory.upperBound)
    else { throw .damaged("its directory is damaged") }
    guard file + ZIP.fileHeaderSize <= directory.lowerBound, Int(number(at: header + 42, UInt32.self)) == file,
      number(at: header + 34, UInt16.self) == 0, number(at: file, UInt32.self) == ZIP.fileHeader,
      let own = self.fields(at: file + 6, name: file + ZIP.fileHeaderSize, before: directory.lowerBound)
    else { throw .damaged("its files do not follow each other") }
    guard own == fields else { throw .damaged("the two headers of a file differ") }
    let start = own.name.endIndex + Int(number(at: file + 28, UInt16.self))
    let data = start..<start + Int(fields.packedSize)
    guard data.upperBound <= directory.lowerBound else { throw .damaged("a file is longer than the package") }
    let attributes = number(at: header + 38, UInt32.self)
    let trailing = Int(number(at: header + 30, UInt16.self)) + Int(number(at: header + 32, UInt16.self))
    (header, file) = (fields.name.endIndex + trailing, data.upperBound)
    return try self.entry(fields, attributes: attributes, data: data)
  }

  /// Checks a file by the rules of packages.
  private mutating func entry(
    _ fields: Fields, attributes: UInt32, data: Range<Int>
  ) throws(PackageError) -> PackageArchive.Entry? {
    guard let spelled = String(validating: fields.name, as: UTF8.self) else {
      throw .unsafe("a name is not UTF-8 text")
    }
    let isFolder = spelled.hasSuffix("/")
    let name = isFolder ? String(spelled.dropLast()) : spelled
    try names.add(name, isFolder: isFolder)
    guard fields.flags & ~ZIP.knownFlags == 0 else { throw .damaged("'\(name)' is encrypted, or has no sizes") }
    guard fields.method == ZIP.deflated || fields.method == ZIP.stored && fields.size == fields.packedSize else {
      throw .damaged("'\(name)' is compressed in a form that is not supported")
    }
    let mode = mode_t(attributes >> 16)
    let type = mode & S_IFMT
    guard type == 0 || type == (isFolder ? S_IFDIR : S_IFREG), isFolder || attributes & ZIP.folderAttribute == 0 else {
      throw .unsafe("'\(name)' is neither a file nor a folder")
    }
    guard mode & 0o7000 == 0 else { throw .unsafe("'\(name)' would run with the rights of its owner") }
    if isFolder {
      guard fields.size == 0, data.isEmpty else { throw .damaged("the folder '\(name)' has content") }
      return nil
    }
    total += Int(fields.size)
    guard total <= PackageArchive.mostContent else {
      throw .tooLarge("its files have more than \(PackageArchive.mostContent >> 20) MiB")
    }
    guard fields.size <= 1 << 20 || Int(fields.size) / max(data.count, 1) <= PackageArchive.largestRatio else {
      throw .tooLarge("'\(name)' is more than \(PackageArchive.largestRatio) times as large as its compressed bytes")
    }
    return PackageArchive.Entry(
      name: name, isExecutable: mode & 0o111 != 0, size: Int(fields.size), isDeflated: fields.method == ZIP.deflated,
      checksum: fields.checksum, data: data)
  }

  /// Reads the fields of a header; nil if the name does not end before the limit.
  private func fields(at offset: Int, name: Int, before limit: Int) -> Fields? {
    let end = name + Int(number(at: offset + 20, UInt16.self))
    guard end <= limit else { return nil }
    return Fields(
      flags: number(at: offset, UInt16.self), method: number(at: offset + 2, UInt16.self),
      checksum: number(at: offset + 8, UInt32.self), packedSize: number(at: offset + 12, UInt32.self),
      size: number(at: offset + 16, UInt32.self), name: bytes[name..<end])
  }

  /// Reads a number at an offset that was checked.
  private func number<Number: FixedWidthInteger>(at offset: Int, _ type: Number.Type) -> Number {
    bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
  }
}

extension PackageArchive {
  /// Returns the bytes of an archive of files, sorted by name; the same files give the same bytes.
  ///
  /// - Parameter files: The files, with names that keep the rules.
  static func bytes(
    of files: [(name: String, isExecutable: Bool, content: [UInt8])]
  ) throws(PackageError) -> [UInt8] {
    var (archive, directory): ([UInt8], [UInt8]) = ([], [])
    for file in files.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      let packed = try compressed(file.content)
      let method = packed == nil ? ZIP.stored : ZIP.deflated
      let data = packed ?? file.content
      let name = Array(file.name.utf8)
      // The version that a reader needs, flags, method, the earliest possible time and date, and the fields after them.
      var fields = littleEndian(UInt16(20), ZIP.unicodeFlag, method, UInt16(0), UInt16(0x21))
      fields += littleEndian(
        chost_crc32(file.content, file.content.count), UInt32(data.count), UInt32(file.content.count))
      fields += littleEndian(UInt16(name.count), UInt16(0))
      let mode = UInt32(S_IFREG | (file.isExecutable ? 0o755 : 0o644))
      // Made by version 2.0 on Unix; no comment, first part, no internal attributes.
      directory += littleEndian(ZIP.directoryHeader)
      directory += littleEndian(UInt16(0x0314))
      directory += fields
      directory += littleEndian(UInt16(0), UInt16(0), UInt16(0))
      directory += littleEndian(mode << 16, UInt32(archive.count))
      directory += name
      archive += littleEndian(ZIP.fileHeader)
      for part in [fields, name, data] { archive += part }
      guard archive.count <= largest else { throw .tooLarge("it has more than \(largest >> 20) MiB") }
    }
    let (start, count) = (UInt32(archive.count), UInt16(files.count))
    archive += directory
    archive += littleEndian(ZIP.directoryEnd)
    archive += littleEndian(UInt16(0), UInt16(0), count, count)
    archive += littleEndian(UInt32(directory.count), start)
    archive += littleEndian(UInt16(0))
    return archive
  }

  /// Returns the compressed content; nil if it would not be smaller.
  private static func compressed(_ content: [UInt8]) throws(PackageError) -> [UInt8]? {
    if content.isEmpty { return nil }
    var (size, outcome) = (content.count - 1, chost_deflate_done)
    let packed = [UInt8](unsafeUninitializedCapacity: content.count) { room, count in
      outcome = chost_deflate(content, content.count, room.baseAddress, &size)
      count = outcome == chost_deflate_done ? size : 0
    }
    if outcome == chost_deflate_unusable { throw .noCompression }
    return outcome == chost_deflate_done ? packed : nil
  }

  private static func littleEndian<Number: FixedWidthInteger>(_ numbers: Number...) -> [UInt8] {
    numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
  }
}

/// The names of files in a package, or of a folder that becomes one, each checked as it is added.
struct PackageNames {
  /// The most files and folders.
  static let most = 20_000
  private static let deepest = 16
  private static let longest = 512
  private static let longestPart = 255
  /// The paths so far: their spelling and whether they are folders, by the spelling that systems may fold them to.
  private var seen: [String: (spelling: String, isFolder: Bool)] = [:]
  private var files = 0

  /// Adds a file or folder.
  mutating func add(_ name: String, isFolder: Bool) throws(PackageError) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard name.utf8.count <= Self.longest, parts.count <= Self.deepest,
      parts.allSatisfy({ $0.utf8.count <= Self.longestPart })
    else { throw .unsafe("the name '\(StyledTextWriter.harmless(String(name.prefix(40))))…' is too long") }
    // Hidden files would be unseen, and the program's own list of the files is one.
    guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else {
      throw .unsafe("'\(StyledTextWriter.harmless(name))' is not the name of a visible file inside the package")
    }
    guard name.unicodeScalars.allSatisfy({ $0 != "\\" && $0 != "\t" && StyledTextWriter.isHarmless($0) }) else {
      throw .unsafe("the name '\(StyledTextWriter.harmless(name))' has characters that are not allowed")
    }
    files += 1
    guard files <= Self.most else { throw .tooLarge("it has more than \(Self.most) files") }
    for count in 1..<parts.count { try add(parts.prefix(count).joined(separator: "/")) }
    if isFolder { return try add(name) }
    if let other = seen[name.lowercased()] {
      throw .unsafe("'\(name)' and '\(other.spelling)' are the same to some systems")
    }
    seen[name.lowercased()] = (name, false)
  }

  /// Adds a folder, which may have been added before.
  private mutating func add(_ folder: String) throws(PackageError) {
    if let other = seen[folder.lowercased()] {
      guard other.isFolder, other.spelling.utf8.elementsEqual(folder.utf8) else {
        throw .unsafe("'\(folder)' and '\(other.spelling)' are the same to some systems")
      }
    }
    seen[folder.lowercased()] = (folder, true)
  }
}
