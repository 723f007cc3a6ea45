/// Finds the names of the Swift modules whose types a library contains.
///
/// Two plugins with a module of the same name work side by side except for lookups by name, which always find the
/// first: so the names must be unique. A library that carries types of `PluginAPI` has a copy of the contract.
/// - Source: Swift ABI, "TypeMetadata.rst" (context descriptors); `swift/ABI/MetadataValues.h` (ContextDescriptorKind).
enum SwiftModules {
  private static let sectionName = "swift5_type_metadata"
  private static let deepest = 64
  /// The modules in which the compiler puts C types; they are the same in every library.
  private static let ofC: Set<String> = ["__C", "__C_Synthesized"]

  /// Returns the names, sorted.
  ///
  /// - Complexity: O(*types*); whatever does not make sense is passed over.
  static func names(in file: ELFFile) -> [String] {
    guard let section = file.section(sectionName) else { return [] }
    var names: Set<String> = []
    var seen: Set<UInt64> = []
    for index in stride(from: 0, to: section.size - 3, by: 4) {
      let field = section.address &+ UInt64(index)
      // The lowest bits indicate a reference through a pointer, which only the linker fills.
      guard let distance = int(at: field, in: file), distance & 3 == 0 else { continue }
      let descriptor = field &+ UInt64(bitPattern: Int64(distance))
      if let name = module(of: descriptor, in: file, seen: &seen) { names.insert(name) }
    }
    return names.subtracting(ofC).sorted()
  }

  /// Follows the parents of a context descriptor up to its module.
  private static func module(of descriptor: UInt64, in file: ELFFile, seen: inout Set<UInt64>) -> String? {
    var context = descriptor
    for _ in 0..<deepest {
      guard seen.insert(context).inserted, let flags = int(at: context, in: file) else { return nil }
      if flags & 0x1F == 0 {
        guard let name = int(at: context &+ 8, in: file) else { return nil }
        return text(at: context &+ 8 &+ UInt64(bitPattern: Int64(name)), in: file)
      }
      guard let parent = int(at: context &+ 4, in: file), parent != 0, parent & 1 == 0 else { return nil }
      context = context &+ 4 &+ UInt64(bitPattern: Int64(parent))
    }
    return nil
  }

  private static func int(at address: UInt64, in file: ELFFile) -> Int32? {
    guard let offset = file.offset(of: address), offset <= file.bytes.count - 4 else { return nil }
    return file.bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Int32.self) }
  }

  private static func text(at address: UInt64, in file: ELFFile) -> String? {
    guard let offset = file.offset(of: address) else { return nil }
    let bytes = file.bytes[offset...].prefix(256)
    guard let end = bytes.firstIndex(of: 0), end > bytes.startIndex else { return nil }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}
