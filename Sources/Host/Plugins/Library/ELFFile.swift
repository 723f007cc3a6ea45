import PluginAPI

/// The parts of an ELF shared library that determine whether it can be loaded, read from its bytes alone.
///
/// Nothing in the bytes is trusted: every offset and count is checked against the file before it is used, and faults
/// that would crash the dynamic linker (segments beyond the end of the file) are found here.
/// - Source: System V ABI, edition 4.1, chapters 4 and 5; ELF-64 Object File Format 1.5, draft 2.
struct ELFFile: Sendable {
  /// A part of the file that is mapped.
  struct Segment: Sendable, Hashable {
    var kind: UInt32
    var offset: Int
    var address: UInt64
    var fileSize: Int
    var memorySize: UInt64
  }

  /// A named part of the file.
  struct Section: Sendable, Hashable {
    var name: String
    var kind: UInt32
    var address: UInt64
    var offset: Int
    var size: Int
  }

  /// The bytes of the file.
  let bytes: [UInt8]
  /// All segments, in file order.
  let segments: [Segment]
  /// All sections, in file order; none if the file was stripped of them.
  let sections: [Section]
  /// The file names of the libraries it needs, in order.
  let needed: [String]
  /// The folders it names to search these libraries in, with `$ORIGIN` as written.
  let searchFolders: [String]
  /// The name under which others need it.
  let soname: String?

  /// Reads a shared library for this machine.
  ///
  /// - Complexity: O(*segments*² + *sections*).
  init(_ bytes: [UInt8]) throws(ELFError) {
    let reader = ELFReader(bytes: bytes)
    try reader.checkIdentity()
    let segments = try reader.segments()
    let sections = try reader.sections()
    let dynamic = try reader.dynamic(segments: segments)
    self.bytes = bytes
    self.segments = segments
    self.sections = sections
    needed = dynamic.needed
    searchFolders = dynamic.searchFolders
    soname = dynamic.soname
  }

  /// Returns the first section of that name.
  func section(_ name: String) -> Section? {
    sections.first { $0.name == name }
  }

  /// Returns the bytes of a section.
  func contents(of section: Section) -> ArraySlice<UInt8> {
    section.kind == ELFReader.sectionWithoutBytes ? [] : bytes[section.offset..<section.offset + section.size]
  }

  /// Returns the names of the symbols that the library expects others to define.
  func importedSymbols() throws(ELFError) -> Set<String> {
    guard let symbols = section(".dynsym"), let names = section(".dynstr") else { return [] }
    return try ELFReader(bytes: bytes).importedSymbols(
      symbols.offset..<symbols.offset + symbols.size, names: names.offset..<names.offset + names.size)
  }

  /// Returns the file offset of a byte at an address of the loaded library; nil if it does not come from the file.
  func offset(of address: UInt64) -> Int? {
    ELFReader.offset(of: address, in: segments)
  }
}

/// An error for bytes that are not a shared library for this machine.
enum ELFError: Error, Equatable {
  /// Another kind of file.
  case notELF
  /// The file ends before something its headers announce; `needed` bytes would be needed.
  case truncated(needed: UInt64, have: Int)
  /// 32-bit, or the other byte order.
  case wrongClass
  /// For another processor.
  case wrongMachine(Int)
  /// An executable, object or core file, as the text states.
  case notALibrary(String)
  /// The headers are inconsistent, at the place that the text names.
  case malformed(String)

  /// The description of the error, as the end of a sentence that begins with the file's name.
  var message: String {
    switch self {
    case .notELF: "is not a shared library: it does not begin as an ELF file"
    case .truncated(let needed, let have): "is truncated: it has \(have) bytes, but its headers require \(needed)"
    case .wrongClass: "is built for another kind of machine: this one needs 64-bit little-endian libraries"
    case .wrongMachine(let number): "is built for another processor (ELF machine \(number))"
    case .notALibrary(let kind): "is \(kind), not a shared library"
    case .malformed(let what): "is damaged: \(what)"
    }
  }

  /// The declaration of the error.
  var declared: DeclaredError {
    switch self {
    case .notELF, .notALibrary: Self.library
    case .truncated: Self.incomplete
    case .wrongClass: Self.kind
    case .wrongMachine: Self.machine
    case .malformed: Self.damaged
    }
  }

  private static let library = DeclaredError(
    "host.plugin-not-a-library", .pluginFailed, "the file is not a shared library")
  private static let incomplete = DeclaredError(
    "host.plugin-truncated", .pluginFailed, "the library is truncated; copy it again")
  private static let kind = DeclaredError(
    "host.plugin-wrong-class", .pluginFailed, "the library is for another kind of machine")
  private static let machine = DeclaredError(
    "host.plugin-wrong-machine", .pluginFailed, "the library is for another processor")
  private static let damaged = DeclaredError(
    "host.plugin-damaged", .pluginFailed, "the library is damaged; build or copy it again")

  /// The errors in the order of the catalog.
  static let all = [library, incomplete, kind, machine, damaged]
}

/// Reads ELF headers from untrusted bytes; see ``ELFFile``.
struct ELFReader {
  let bytes: [UInt8]

  static let sectionWithoutBytes: UInt32 = 8
  private static let loadedSegment: UInt32 = 1
  private static let dynamicSegment: UInt32 = 2

  #if arch(x86_64)
    static let machine: UInt16 = 62
  #elseif arch(arm64)
    static let machine: UInt16 = 183
  #endif

  /// Checks class, byte order, version, type and machine.
  func checkIdentity() throws(ELFError) {
    guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else { throw .notELF }
    if bytes.count >= 6, bytes[4] != 2 || bytes[5] != 1 { throw .wrongClass }
    guard bytes.count >= 64 else { throw .truncated(needed: 64, have: bytes.count) }
    let machine = try number(at: 18, UInt16.self)
    guard machine == Self.machine else { throw .wrongMachine(Int(machine)) }
    switch try number(at: 16, UInt16.self) {
    case 1: throw .notALibrary("an object file")
    case 2: throw .notALibrary("an executable")
    case 3: break
    case 4: throw .notALibrary("a core file")
    default: throw .malformed("it has an unknown ELF type")
    }
    guard bytes[6] == 1, try number(at: 20, UInt32.self) == 1 else { throw .malformed("its ELF version is not 1") }
  }

  /// Reads the kinds and offsets of the segments, from the file's first bytes alone.
  func programHeaders() throws(ELFError) -> [(kind: UInt32, offset: UInt64, size: UInt64)] {
    var headers: [(kind: UInt32, offset: UInt64, size: UInt64)] = []
    for header in try headerOffsets() {
      headers.append(
        (
          try number(at: header, UInt32.self), try number(at: header + 8, UInt64.self),
          try number(at: header + 32, UInt64.self)
        ))
    }
    return headers
  }

  /// Returns the offsets of the program headers.
  private func headerOffsets() throws(ELFError) -> StrideTo<Int> {
    let start = try number(at: 32, UInt64.self)
    let (size, count) = (Int(try number(at: 54, UInt16.self)), Int(try number(at: 56, UInt16.self)))
    guard size == 56, count > 0, count <= 4096 else { throw .malformed("it has no usable program headers") }
    let table = try range(start, UInt64(count * size))
    return stride(from: table.lowerBound, to: table.upperBound, by: size)
  }

  /// Reads the program headers and checks the properties that the dynamic linker relies on.
  func segments() throws(ELFError) -> [ELFFile.Segment] {
    var segments: [ELFFile.Segment] = []
    for header in try headerOffsets() { segments.append(try segment(at: header)) }
    let loaded = segments.filter { $0.kind == Self.loadedSegment }
    guard !loaded.isEmpty else { throw .malformed("it has no segment to load") }
    for (before, after) in zip(loaded, loaded.dropFirst()) {
      guard before.address + before.memorySize <= after.address else { throw .malformed("its segments overlap") }
    }
    guard !segments.contains(where: { $0.kind == 3 }) else { throw .notALibrary("an executable") }
    return segments
  }

  private func segment(at header: Int) throws(ELFError) -> ELFFile.Segment {
    let (fileSize, memorySize) = (try number(at: header + 32, UInt64.self), try number(at: header + 40, UInt64.self))
    let (offset, address) = (try number(at: header + 8, UInt64.self), try number(at: header + 16, UInt64.self))
    let kind = try number(at: header, UInt32.self)
    let alignment = try number(at: header + 48, UInt64.self)
    if kind == Self.loadedSegment {
      let (end, overflow) = address.addingReportingOverflow(memorySize)
      guard fileSize <= memorySize, !overflow, end < 1 << 47 else {
        throw .malformed("a segment has an impossible size")
      }
      guard alignment & (alignment &- 1) == 0, alignment <= 1 << 30,
        alignment <= 1 || (address &- offset) % alignment == 0
      else { throw .malformed("a segment is not aligned") }
    }
    // Segments without bytes, such as the stack's, may point anywhere.
    let extent = fileSize == 0 ? 0..<0 : try range(offset, fileSize)
    return ELFFile.Segment(
      kind: kind, offset: extent.lowerBound, address: address, fileSize: extent.count, memorySize: memorySize)
  }

  /// Reads the section headers; none if the file has none.
  func sections() throws(ELFError) -> [ELFFile.Section] {
    let start = try number(at: 40, UInt64.self)
    if start == 0 { return [] }
    let (size, count) = (Int(try number(at: 58, UInt16.self)), Int(try number(at: 60, UInt16.self)))
    let namesIndex = Int(try number(at: 62, UInt16.self))
    if count == 0 { throw .malformed("it has too many sections") }
    guard size == 64, namesIndex < count else { throw .malformed("its section headers are unusable") }
    let table = try range(start, UInt64(count * size))
    let names = try sectionPlace(at: table.lowerBound + namesIndex * size)
    var sections: [ELFFile.Section] = []
    sections.reserveCapacity(count)
    for header in stride(from: table.lowerBound, to: table.upperBound, by: size) {
      let extent = try sectionPlace(at: header)
      sections.append(
        ELFFile.Section(
          name: try text(at: UInt64(try number(at: header, UInt32.self)), in: names),
          kind: try number(at: header + 4, UInt32.self), address: try number(at: header + 16, UInt64.self),
          offset: extent.lowerBound, size: extent.count))
    }
    return sections
  }

  private func sectionPlace(at header: Int) throws(ELFError) -> Range<Int> {
    let kind = try number(at: header + 4, UInt32.self)
    if kind == 0 || kind == Self.sectionWithoutBytes { return 0..<0 }
    return try range(try number(at: header + 24, UInt64.self), try number(at: header + 32, UInt64.self))
  }

  /// The entries of a dynamic segment that determine which other libraries are loaded.
  struct Dynamic {
    var needed: [String] = []
    var searchFolders: [String] = []
    var soname: String?
  }

  /// Tags of entries: `DT_NEEDED`, and `DT_AUXILIARY` and `DT_FILTER`, which load libraries too.
  private static let neededTags: Set<UInt64> = [1, 0x7FFF_FFFD, 0x7FFF_FFFF]
  private static let sonameTag: UInt64 = 14
  private static let rpathTag: UInt64 = 15
  private static let runpathTag: UInt64 = 29

  /// Reads the libraries that the library needs, where it searches them, and its own name, from its dynamic segment.
  func dynamic(segments: [ELFFile.Segment]) throws(ELFError) -> Dynamic {
    let dynamic = segments.filter { $0.kind == Self.dynamicSegment }
    guard dynamic.count == 1 else { throw .malformed("it has no dynamic segment") }
    var entries: [(tag: UInt64, value: UInt64)] = []
    for entry in stride(from: dynamic[0].offset, to: dynamic[0].offset + dynamic[0].fileSize - 15, by: 16) {
      let tag = try number(at: entry, UInt64.self)
      if tag == 0 { break }
      entries.append((tag, try number(at: entry + 8, UInt64.self)))
    }
    // DF_1_PIE among the flags of DT_FLAGS_1 marks position-independent executables.
    if entries.contains(where: { $0.tag == 0x6FFF_FFFB && $0.value & 0x0800_0000 != 0 }) {
      throw .notALibrary("an executable")
    }
    guard let address = entries.first(where: { $0.tag == 5 })?.value,
      let size = entries.first(where: { $0.tag == 10 })?.value,
      let offset = Self.offset(of: address, in: segments)
    else { throw .malformed("its dynamic segment does not name a string table") }
    let strings = try range(UInt64(offset), size)
    var result = Dynamic()
    for entry in entries where Self.neededTags.contains(entry.tag) {
      result.needed.append(try text(at: entry.value, in: strings))
    }
    if let entry = entries.first(where: { $0.tag == Self.sonameTag }) {
      result.soname = try text(at: entry.value, in: strings)
    }
    // The dynamic linker ignores DT_RPATH where there is a DT_RUNPATH.
    let search = entries.first { $0.tag == Self.runpathTag } ?? entries.first { $0.tag == Self.rpathTag }
    if let search {
      result.searchFolders = try text(at: search.value, in: strings).split(separator: ":").map(String.init)
    }
    return result
  }

  private static let symbolSize = 24

  /// Reads the names of the symbols that no section of the file defines.
  func importedSymbols(_ symbols: Range<Int>, names: Range<Int>) throws(ELFError) -> Set<String> {
    var imported: Set<String> = []
    for symbol in stride(from: symbols.lowerBound, to: symbols.upperBound - Self.symbolSize + 1, by: Self.symbolSize) {
      guard try number(at: symbol + 6, UInt16.self) == 0 else { continue }
      let name = try text(at: UInt64(try number(at: symbol, UInt32.self)), in: names)
      if !name.isEmpty { imported.insert(name) }
    }
    return imported
  }

  static func offset(of address: UInt64, in segments: [ELFFile.Segment]) -> Int? {
    for segment in segments where segment.kind == loadedSegment && address >= segment.address {
      let distance = address - segment.address
      if distance < UInt64(segment.fileSize) { return segment.offset + Int(distance) }
    }
    return nil
  }

  /// Returns the bytes from an offset on, as far as the headers announce, if the file has them.
  private func range(_ offset: UInt64, _ size: UInt64) throws(ELFError) -> Range<Int> {
    let (end, overflow) = offset.addingReportingOverflow(size)
    guard !overflow, end <= UInt64(bytes.count) else {
      throw .truncated(needed: overflow ? .max : end, have: bytes.count)
    }
    return Int(offset)..<Int(end)
  }

  func number<Number: FixedWidthInteger>(at offset: Int, _ type: Number.Type) throws(ELFError) -> Number {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, offset <= bytes.count - size else {
      throw .truncated(needed: UInt64(offset + size), have: bytes.count)
    }
    return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
  }

  private func text(at position: UInt64, in strings: Range<Int>) throws(ELFError) -> String {
    guard position < UInt64(strings.count) else {
      if position == 0 { return "" }
      throw .malformed("a name is outside the string table")
    }
    let remaining = bytes[(strings.lowerBound + Int(position))..<strings.upperBound]
    guard let end = remaining.firstIndex(of: 0), end - remaining.startIndex <= 4096 else {
      throw .malformed("a name is not terminated")
    }
    return String(decoding: remaining[..<end], as: UTF8.self)
  }
}
