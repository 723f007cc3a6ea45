internal import CTokens

/// Reads JSON piece by piece, of any depth and size, in memory that does not grow with it.
///
/// What is held is one token, a value that is asked for as raw text, and a byte for each level. A mark of UTF-8 at the
/// beginning is passed over. Not for use from several threads at once.
///
/// ```swift
/// let reader = try JSONReader { event in
///   switch event {
///   case .key("id"): .raw
///   case .key("columns"): .skip
///   case .raw(let text): ids.append(text.string)
///   default: .more
///   }
/// }
/// try reader.push(bytes)
/// try reader.finish()
/// ```
public final class JSONReader {
  /// What is read, and how.
  public struct Options: Sendable, Hashable {
    /// How deep objects and lists may be nested.
    public var depth = Int.max
    /// How many bytes all may have.
    public var sizeInBytes = Int.max
    /// How many bytes a text, a number, a key or a raw value may have.
    public var textInBytes = 1 << 30
    /// Whether values may follow each other, apart by blanks or line feeds (JSON Lines); no value at all is then right.
    public var isSequence = false
    /// Whether one half of a surrogate pair (`\ud83d` alone) ends the reading; else U+FFFD takes its place and
    /// ``JSONReader/replacedSurrogates`` counts it.
    public var refusesLoneSurrogates = false

    /// Creates the usual options: everything that is JSON.
    public init() {}
  }

  /// Takes the events in order.
  public typealias Handler = (JSONEvent) throws -> JSONFlow

  private let options: Options
  fileprivate let handler: Handler
  fileprivate var reader: OpaquePointer?
  /// The first bytes.
  private var head: [UInt8] = []
  private var pushed = 0
  fileprivate var failure: (any Error)?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - options: What is read, and how.
  ///   - handler: Takes the events in order and says what becomes of what follows; what it throws ends the reading and
  ///     is thrown again.
  /// - Throws: ``JSONError/libraryMissing(reason:)``, ``JSONError/outOfMemory``.
  public init(_ options: Options = Options(), _ handler: @escaping Handler) throws(JSONError) {
    self.options = options
    self.handler = handler
    if let problem = tokens_open() { throw .libraryMissing(reason: String(cString: problem)) }
    reader = tokens_create(setup)
    if reader == nil { throw .outOfMemory }
  }

  deinit {
    if let reader { tokens_free(reader) }
  }

  /// How many objects and lists are open.
  public var depth: Int { tokens_depth(reader) }

  /// How many halves of surrogate pairs U+FFFD took the place of.
  public var replacedSurrogates: Int {
    var first: UInt64 = 0
    return Int(tokens_replaced(reader, &first))
  }

  /// The bytes up to the end of the first text in which a half was replaced; nil if there is none.
  public var firstReplacedSurrogate: Int? {
    var first: UInt64 = 0
    return tokens_replaced(reader, &first) > 0 ? Int(first) : nil
  }

  /// Reads the next piece.
  ///
  /// - Throws: ``JSONError``, and what the handler throws; then again with every later call.
  public func push(_ bytes: UnsafeRawBufferPointer) throws {
    if let failure { throw failure }
    if head.count < 2 { head += bytes.prefix(2 - head.count) }
    let room = max(0, options.sizeInBytes - pushed)
    pushed += bytes.count
    let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(room))
    note(tokens_push(reader, piece.bindMemory(to: UInt8.self).baseAddress, piece.count))
    if failure == nil, piece.count < bytes.count { failure = JSONError.tooLarge(limitInBytes: options.sizeInBytes) }
    if let failure { throw failure }
  }

  /// Reads the next piece.
  ///
  /// - Throws: As for a buffer.
  public func push(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try push($0) } }

  /// Reads the next piece.
  ///
  /// - Throws: As for a buffer.
  public func push(_ bytes: ArraySlice<UInt8>) throws { try bytes.withUnsafeBytes { try push($0) } }

  /// Says that there are no more pieces.
  ///
  /// - Throws: ``JSONError/truncated(_:)`` if the value is not complete; else as for a piece.
  public func finish() throws {
    if let failure { throw failure }
    note(tokens_finish(reader))
    if let failure { throw failure }
  }

  private func note(_ problem: tokens_problem) {
    if problem.end == TOKENS_FINE || failure != nil { return }
    let place = JSONPlace(offset: Int(problem.offset), line: Int(problem.line), column: Int(problem.column))
    failure =
      switch problem.end {
      case TOKENS_TRUNCATED: JSONError.truncated(place)
      case TOKENS_TOO_DEEP: JSONError.tooDeep(place, limit: options.depth)
      case TOKENS_TOO_LONG: JSONError.tooLong(place, limitInBytes: options.textInBytes)
      case TOKENS_HALF: JSONError.loneSurrogate(place)
      case TOKENS_NO_MEMORY: JSONError.outOfMemory
      case _ where isOtherEncoding(place): JSONError.otherEncoding
      case TOKENS_TRAILING: JSONError.trailing(place)
      case TOKENS_NOT_UTF8: JSONError.notUTF8(place)
      default: JSONError.syntax(place, reason: words(problem))
      }
  }

  /// Whether the bytes up to a place are those of UTF-16 or UTF-32, with or without their mark: JSON begins with ASCII.
  ///
  /// - Source: RFC 4627, section 3.
  private func isOtherEncoding(_ place: JSONPlace) -> Bool {
    let known = head.prefix(place.offset + 1)
    return known.first == 0xFE || known.first == 0xFF || known.contains(0)
  }

  private func words(_ problem: tokens_problem) -> String {
    var words = withUnsafeBytes(of: problem.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if words.hasSuffix(".") { words.removeLast() }
    return words
  }

  private var setup: tokens_setup {
    var setup = tokens_setup()
    setup.context = Unmanaged.passUnretained(self).toOpaque()
    setup.deepest = max(0, options.depth)
    setup.longest = max(0, options.textInBytes)
    setup.is_sequence = options.isSequence ? 1 : 0
    setup.refuses_halves = options.refusesLoneSurrogates ? 1 : 0
    // A function for each kind: each event goes through here.
    setup.null = { context, _, _ in take(context, .null) }
    setup.no = { context, _, _ in take(context, .bool(false)) }
    setup.yes = { context, _, _ in take(context, .bool(true)) }
    setup.number = takeNumber
    setup.string = takeText
    setup.key = takeKey
    setup.begin_object = { context, _, _ in take(context, .beginObject, .begin) }
    setup.end_object = { context, _, _ in take(context, .endObject) }
    setup.begin_array = { context, _, _ in take(context, .beginArray, .begin) }
    setup.end_array = { context, _, _ in take(context, .endArray) }
    setup.raw = { take($0, .raw(text($1, $2))) }
    return setup
  }
}

/// What an event can decide about.
private enum Successor {
  case none, key, begin
}

/// Hands an event to the handler of its reader; nothing is retained for it.
@inline(__always)
private func take(_ context: UnsafeMutableRawPointer?, _ event: JSONEvent, _ successor: Successor = .none) -> Int32 {
  guard let context else { return 0 }
  return Unmanaged<JSONReader>.fromOpaque(context)._withUnsafeGuaranteedRef { reader in
    do {
      let flow = try reader.handler(event)
      if flow == .more || successor == .none { return 1 }
      return tokens_follow(reader.reader, flow == .skip ? TOKENS_SKIP : TOKENS_KEEP, successor == .begin ? 1 : 0)
    } catch {
      reader.failure = error
      return tokens_follow(reader.reader, TOKENS_STOP, 0)
    }
  }
}

@inline(__always)
private func text(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> JSONText {
  JSONText(UnsafeBufferPointer(start: bytes, count: count))
}

// Most events are these: functions, unlike closures, become one with what C calls.

@inline(__always)
private func takeNumber(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  take(context, .number(text(bytes, count)))
}

@inline(__always)
private func takeText(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  take(context, .text(text(bytes, count)))
}

@inline(__always)
private func takeKey(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  take(context, .key(text(bytes, count)), .key)
}
