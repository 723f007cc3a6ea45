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

  /// Returns the file offset of a byte at an address of the loaded library; nil if it does not come from the file.
  func offset(of address: UInt64) -> Int? {
    ELFReader.offset(of: address, in: segments)
  }
}
