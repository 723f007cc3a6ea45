import PluginAPI
import Synchronization

/// A plugin's contributions in their stored form; each part is decoded when it is first used.
///
/// A command line needs one command of one plugin. Decoding everything that all plugins contribute took twice as long
/// as starting the process.
final class StoredContributions: Sendable {
  /// A part that is decoded as a whole; commands follow these, one part each.
  private enum Part: Int, CaseIterable {
    case plugin, commandNames, screens, stores, textRenderers, fileTypes, settings, checks, topics, errorCodes
  }

  private struct Decoded {
    var commands: [String: CommandDescription] = [:]
    var screens: [ScreenDescription]?
    var stores: [StoreDescription]?
    var textRenderers: [String]?
    var fileTypes: [FileTypeDescription]?
    var settings: [Parameter]?
    var checks: [CheckDescription]?
    var topics: [TopicDescription]?
    var errorCodes: [ErrorCodeDescription]?
  }

  /// The identity of the plugin.
  let plugin: PluginIdentity
  /// The names of its commands, in the order help shows them.
  let commandNames: [String]
  /// The stored form: the number of parts and the size of each in bytes, as little-endian 32-bit integers, then the
  /// parts' byte forms.
  let bytes: [UInt8]
  private let parts: [Range<Int>]
  private let decoded = Mutex(Decoded())

  /// Reads the stored form.
  ///
  /// - Parameter bytes: The ``bytes`` of another instance; nil for anything else.
  init?(_ bytes: [UInt8]) {
    guard let parts = Self.parts(of: bytes), parts.count >= Part.allCases.count,
      let plugin = try? PluginIdentity(decoding: Array(bytes[parts[Part.plugin.rawValue]])),
      let names = try? Value(decoding: Array(bytes[parts[Part.commandNames.rawValue]])).list?.compactMap(\.text),
      parts.count == Part.allCases.count + names.count
    else { return nil }
    (self.plugin, commandNames) = (plugin, names)
    (self.bytes, self.parts) = (bytes, parts)
  }

  /// Stores contributions.
  init(_ contributions: Contributions) {
    let value = contributions.value
    let shared: [Value] = Part.allCases.map { part in
      switch part {
      case .plugin: value["plugin"]
      case .commandNames: .list(contributions.commands.map { .text($0.name) })
      case .screens: value["screens"]
      case .stores: value["stores"]
      case .textRenderers: value["textRenderers"]
      case .fileTypes: value["fileTypes"]
      case .settings: value["settings"]
      case .checks: value["checks"]
      case .topics: value["topics"]
      case .errorCodes: value["errorCodes"]
      }
    }
    let encoded = (shared + (value["commands"].list ?? [])).map { $0.encoded() }
    var bytes = Self.bytes(UInt32(encoded.count)) + encoded.flatMap { Self.bytes(UInt32($0.count)) }
    var parts: [Range<Int>] = []
    for part in encoded {
      parts.append(bytes.count..<bytes.count + part.count)
      bytes += part
    }
    (self.bytes, self.parts) = (bytes, parts)
    (plugin, commandNames) = (contributions.plugin, contributions.commands.map(\.name))
  }

  /// Returns the command of that name; nil if the plugin has none.
  func command(_ name: String) -> CommandDescription? {
    guard let index = commandNames.firstIndex(of: name) else { return nil }
    return decoded.withLock { decoded in
      if let command = decoded.commands[name] { return command }
      let command = try? CommandDescription(value: value(Part.allCases.count + index))
      decoded.commands[name] = command
      return command
    }
  }

  /// All commands, in the order help shows them.
  var commands: [CommandDescription] { commandNames.compactMap(command) }

  /// The screens; `workbench run` shows the first one.
  var screens: [ScreenDescription] { decoded.withLock { elements(.screens, &$0.screens) } }

  /// The stores.
  var stores: [StoreDescription] { decoded.withLock { elements(.stores, &$0.stores) } }

  /// The file types it opens.
  var fileTypes: [FileTypeDescription] { decoded.withLock { elements(.fileTypes, &$0.fileTypes) } }

  /// The settings.
  var settings: [Parameter] { decoded.withLock { elements(.settings, &$0.settings) } }

  /// The checks for `workbench doctor`.
  var checks: [CheckDescription] { decoded.withLock { elements(.checks, &$0.checks) } }

  /// The topics it notifies about.
  var topics: [TopicDescription] { decoded.withLock { elements(.topics, &$0.topics) } }

  /// The stable codes of its errors and diagnostics.
  var errorCodes: [ErrorCodeDescription] { decoded.withLock { elements(.errorCodes, &$0.errorCodes) } }

  /// The type names its text renderers take.
  var textRenderers: [String] {
    decoded.withLock { decoded in
      if let known = decoded.textRenderers { return known }
      let names = value(Part.textRenderers.rawValue).list?.compactMap(\.text) ?? []
      decoded.textRenderers = names
      return names
    }
  }

  /// All contributions, decoded; only for callers that need every part.
  var all: Contributions {
    var all = Contributions(plugin: plugin)
    (all.commands, all.screens, all.stores, all.textRenderers) = (commands, screens, stores, textRenderers)
    (all.fileTypes, all.settings, all.checks, all.topics) = (fileTypes, settings, checks, topics)
    all.errorCodes = errorCodes
    return all
  }

  private func elements<Element: ValueConvertible>(_ part: Part, _ known: inout [Element]?) -> [Element] {
    if let known { return known }
    let elements = (value(part.rawValue).list ?? []).compactMap { try? Element(value: $0) }
    known = elements
    return elements
  }

  /// Returns a part as a value.
  ///
  /// The registry compares a checksum, so the bytes are those that were written.
  private func value(_ index: Int) -> Value {
    (try? Value(decoding: Array(bytes[parts[index]]))) ?? .null
  }

  private static func parts(of bytes: [UInt8]) -> [Range<Int>]? {
    func number(at offset: Int) -> Int? {
      guard offset + 4 <= bytes.count else { return nil }
      return bytes.withUnsafeBytes {
        Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      }
    }
    guard let count = number(at: 0), count < bytes.count / 4 else { return nil }
    var parts: [Range<Int>] = []
    parts.reserveCapacity(count)
    var start = 4 + 4 * count
    for index in 0..<count {
      guard let size = number(at: 4 + 4 * index), start + size <= bytes.count else { return nil }
      parts.append(start..<start + size)
      start += size
    }
    return start == bytes.count ? parts : nil
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
