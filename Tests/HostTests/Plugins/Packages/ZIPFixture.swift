/// A ZIP file made field by field, so that each of them can be wrong.
struct ZIPFixture {
  /// A file with its two headers.
  struct File {
    var name: [UInt8]
    var data: [UInt8]
    var method: UInt16 = 0
    var flags: UInt16 = 0x0800
    /// The attributes of Unix in the upper half, those of MS-DOS in the lower.
    var attributes: UInt32 = 0o100644 << 16
    var checksum: UInt32
    var size: UInt32
    /// The name in the header before the data; nil for the same.
    var otherName: [UInt8]?
    /// The size in the header before the data; nil for the same.
    var otherSize: UInt32?
    /// The distance of the offset in the directory from the true one.
    var shift = 0
    /// Bytes before the header.
    var gap: [UInt8] = []

    init(_ name: String, _ content: [UInt8] = []) {
      self.name = Array(name.utf8)
      data = content
      checksum = ZIPFixture.crc(content)
      size = UInt32(content.count)
    }

    /// Returns an entry for a folder.
    static func folder(_ name: String, content: [UInt8] = []) -> File {
      var file = File(name, content)
      file.attributes = 0o040755 << 16 | 0x10
      return file
    }

    /// Compresses the content as one stored block of deflate (RFC 1951, section 3.2.4).
    mutating func deflate() {
      let count = UInt16(data.count)
      data = [[1], ZIPFixture.bytes(count), ZIPFixture.bytes(~count), data].flatMap(\.self)
      method = 8
    }
  }

  var files: [File]
  var comment: [UInt8] = []
  var trailing: [UInt8] = []
  /// The number of files that the end states; nil for the true one.
  var count: UInt16?
  var disks: UInt16 = 0
  /// The distances of the directory's stated size and offset from the true ones.
  var sizeShift = 0
  var offsetShift = 0

  var bytes: [UInt8] {
    var (archive, directory): ([UInt8], [UInt8]) = ([], [])
    for file in files {
      archive += file.gap
      let offset = UInt32(archive.count + file.shift)
      let other = file.otherName ?? file.name
      // The version that a reader needs, flags, method, time and date, checksum and size of the data.
      var start = Self.bytes(UInt16(20))
      start += Self.bytes(file.flags)
      start += Self.bytes(file.method)
      start += [0, 0, 0x21, 0]
      start += Self.bytes(file.checksum)
      start += Self.bytes(UInt32(file.data.count))
      archive += Self.bytes(UInt32(0x0403_4B50))
      archive += start
      archive += Self.bytes(file.otherSize ?? file.size)
      archive += Self.bytes(UInt16(other.count))
      archive += [0, 0]
      archive += other
      archive += file.data
      directory += Self.bytes(UInt32(0x0201_4B50))
      directory += [20, 3]
      directory += start
      directory += Self.bytes(file.size)
      directory += Self.bytes(UInt16(file.name.count))
      directory += [UInt8](repeating: 0, count: 8)
      directory += Self.bytes(file.attributes)
      directory += Self.bytes(offset)
      directory += file.name
    }
    let stated = Self.bytes(count ?? UInt16(files.count))
    var end = Self.bytes(UInt32(0x0605_4B50))
    for part in [Self.bytes(disks), Self.bytes(disks), stated, stated] { end += part }
    end += Self.bytes(UInt32(directory.count + sizeShift))
    end += Self.bytes(UInt32(archive.count + offsetShift))
    end += Self.bytes(UInt16(comment.count))
    for part in [comment, trailing] { end += part }
    return archive + directory + end
  }

  static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// The checksum, bit by bit.
  static func crc(_ bytes: [UInt8]) -> UInt32 {
    var value = UInt32.max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~value
  }
}

extension ZIPFixture {
  /// Returns a package with a manifest and a program, changed.
  static func package(_ change: (inout ZIPFixture) -> Void = { _ in }) -> [UInt8] {
    var fixture = ZIPFixture(files: [
      .init("main.py", Array("print(1)".utf8)), .init("plugin.json", Array("{}".utf8)),
    ])
    change(&fixture)
    return fixture.bytes
  }

  /// Returns a package whose first file is compressed, and changed then.
  static func compressedPackage(_ change: (inout File) -> Void = { _ in }) -> [UInt8] {
    package { fixture in
      fixture.files[0].deflate()
      change(&fixture.files[0])
    }
  }
}
