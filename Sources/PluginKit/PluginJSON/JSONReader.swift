internal import CTokens

/// A reader of JSON in pieces, of any depth and size, in memory that does not grow with the document.
///
/// It buffers one token, a value requested as raw text, and one byte per nesting level. A UTF-8 byte order mark at the
/// beginning is ignored. Do not use a reader on several threads at once.
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
  /// The limits and rules of reading.
  public struct Options: Sendable, Hashable {
    /// The maximum nesting depth of objects and arrays.
    public var depth = Int.max
    /// The maximum total number of bytes.
    public var sizeInBytes = Int.max
    /// The maximum number of bytes of a text, number, key or raw value.
    public var textInBytes = 1 << 30
    /// A Boolean value indicating whether several values may follow each other, separated by white space (JSON Lines).
    ///
    /// No value at all is then allowed.
    public var isSequence = false
    /// A Boolean value indicating whether an unpaired surrogate (`\ud83d` alone) is an error; otherwise U+FFFD replaces
    /// it and ``JSONReader/replacedSurrogates`` counts it.
    public var refusesLoneSurrogates = false

    /// Creates the default options, which accept all of JSON.
    public init() {}
  }

  /// A function that receives the events in order.
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
  ///   - options: The limits and rules of reading.
  ///   - handler: Receives the events in order and decides about the content that follows; an error that it throws ends
  ///     the reading and is rethrown.
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

  /// The number of open objects and arrays.
  public var depth: Int { tokens_depth(reader) }

  /// The number of unpaired surrogates that were replaced by U+FFFD.
  public var replacedSurrogates: Int {
    var first: UInt64 = 0
    return Int(tokens_replaced(reader, &first))
  }

  /// The number of bytes up to the end of the first text with a replaced surrogate; nil if there is none.
  public var firstReplacedSurrogate: Int? {
    var first: UInt64 = 0
    return tokens_replaced(reader, &first) > 0 ? Int(first) : nil
  }

  /// Reads the next piece.
  ///
  /// - Throws: ``JSONError``, or the handler's error; every later call throws it again.
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

  /// Ends the document.
  ///
  /// - Throws: ``JSONError/truncated(_:)`` if the value is incomplete; otherwise as for a piece.
  public func finish() throws {
    if let failure { throw failure }
    note(tokens_finish(reader))
    if let failure { throw failure }
  }

  /// Records the handler's error; a separate function, because it is rare.
  @inline(never)
  fileprivate func end(_ error: any Error) -> Int32 {
    failure = error
    return tokens_follow(reader, TOKENS_STOP, 0)
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

  /// Returns true if the bytes up to a position are UTF-16 or UTF-32, with or without a byte order mark: JSON begins
  /// with ASCII.
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
    setup.null = { context, _, _ in take(context, .null) }
    setup.no = { context, _, _ in take(context, .bool(false)) }
    setup.yes = { context, _, _ in take(context, .bool(true)) }
    setup.number = { take($0, .number(text($1, $2))) }
    setup.string = { take($0, .text(text($1, $2))) }
    setup.key = { take($0, .key(text($1, $2)), .key) }
    setup.begin_object = { context, _, _ in take(context, .beginObject, .begin) }
    setup.end_object = { context, _, _ in take(context, .endObject) }
    setup.begin_array = { context, _, _ in take(context, .beginArray, .begin) }
    setup.end_array = { context, _, _ in take(context, .endArray) }
    setup.raw = { take($0, .raw(text($1, $2))) }
    setup.usual_number = takeUsualNumber
    setup.usual_string = takeUsualText
    setup.usual_key = takeUsualKey
    setup.usual_begin_object = beginUsualObject
    setup.usual_end_object = endUsualObject
    setup.usual_begin_array = beginUsualArray
    setup.usual_end_array = endUsualArray
    return setup
  }
}

/// An event in a document.
@frozen
public enum JSONEvent {
  /// An object begins.
  case beginObject
  /// The name of the value that follows, unescaped.
  case key(JSONText)
  /// An object ends.
  case endObject
  /// An array begins.
  case beginArray
  /// An array ends.
  case endArray
  /// A text, unescaped.
  case text(JSONText)
  /// A number as written, of any size.
  case number(JSONText)
  /// A Boolean value.
  case bool(Bool)
  /// Null.
  case null
  /// A value requested by ``JSONFlow/raw``, byte for byte as written.
  case raw(JSONText)
}

/// A handler's decision about the content that follows.
@frozen
public enum JSONFlow: Sendable {
  /// Report it as events.
  case more
  /// Skip the value of this key, or the rest of what begins here, including its end, without events.
  case skip
  /// Report a single ``JSONEvent/raw(_:)`` instead of the value of this key, or of the rest of what begins here,
  /// including its end; the text contains the complete value.
  case raw
}

/// Bytes of a document that are valid only within the call that receives them.
@frozen
public struct JSONText {
  /// UTF-8.
  public let bytes: UnsafeBufferPointer<UInt8>

  /// Creates a text from bytes owned by someone else.
  @inlinable
  public init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// A copy of the text.
  @inlinable
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The whole number; nil if the number has a fraction or an exponent, or more than 64 bits.
  @inlinable
  public var integer: Int? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    var value = 0
    for byte in isNegative ? bytes.dropFirst() : bytes[...] {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      let (tens, isLarge) = value.multipliedReportingOverflow(by: 10)
      let digit = Int(byte - UInt8(ascii: "0"))
      // Negative, because that range has one more number.
      let (next, isLarger) = tens.subtractingReportingOverflow(digit)
      if isLarge || isLarger { return nil }
      value = next
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// The nearest double; nil if the text is not a number.
  @inlinable
  public var number: Double? { Double(string) }

  /// Returns true if the text equals these bytes; for `case .key("name")`.
  @inlinable
  public static func ~= (pattern: StaticString, text: JSONText) -> Bool {
    let other = UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount)
    return text.bytes.count == other.count && text.bytes.elementsEqual(other)
  }
}

/// The content that a handler's decision applies to.
private enum Successor {
  case none, key, begin
}

/// Passes an event to the reader's handler, without retaining anything for it.
@inline(__always)
private func take(_ context: UnsafeMutableRawPointer, _ event: JSONEvent, _ successor: Successor = .none) -> Int32 {
  Unmanaged<JSONReader>.fromOpaque(context)._withUnsafeGuaranteedRef { reader in
    do {
      let flow = try reader.handler(event)
      if flow == .more || successor == .none { return 1 }
      return tokens_follow(reader.reader, flow == .skip ? TOKENS_SKIP : TOKENS_KEEP, successor == .begin ? 1 : 0)
    } catch { return reader.end(error) }
  }
}

@inline(__always)
private func text(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> JSONText {
  JSONText(UnsafeBufferPointer(start: bytes, count: count))
}

// The callbacks of yajl: each event passes through here, so that there is one call from it to the handler.

/// The first part of the C reader's state.
private typealias Front = UnsafeMutablePointer<tokens_front>

@inline(__always)
private func front(_ reader: UnsafeMutableRawPointer) -> Front { reader.assumingMemoryBound(to: tokens_front.self) }

/// Records the end of an ordinary token and what follows its bytes; returns false if it is not ordinary.
@inline(__always)
private func isUsual(_ front: Front, _ bytes: UnsafeRawPointer, _ count: Int, _ mark: Int) -> Bool {
  let place = UInt(bitPattern: bytes) &- UInt(bitPattern: front.pointee.feed)
  guard place < UInt(bitPattern: front.pointee.usual_count) else { return false }
  front.pointee.text_end = Int(bitPattern: place) &+ count &+ mark
  return true
}

/// Records the beginning of an object or an array; returns false if it is not ordinary.
@inline(__always)
private func isUsualBegin(_ front: Front) -> Bool {
  guard front.pointee.usual_count != 0, front.pointee.depth < front.pointee.deepest else { return false }
  front.pointee.depth &+= 1
  return true
}

/// Records the end of an object or an array; returns false if it is not ordinary.
@inline(__always)
private func isUsualEnd(_ front: Front) -> Bool {
  guard front.pointee.usual_count != 0, front.pointee.depth != 1 else { return false }
  front.pointee.depth &-= 1
  return true
}

@inline(__always)
private func takeUsualNumber(
  _ reader: UnsafeMutableRawPointer, _ characters: UnsafePointer<CChar>, _ count: Int
) -> Int32 {
  guard isUsual(front(reader), characters, count, 0) else { return tokens_take_number(reader, characters, count) }
  let bytes = UnsafeRawPointer(characters).assumingMemoryBound(to: UInt8.self)
  return take(front(reader).pointee.context, .number(text(bytes, count)))
}

@inline(__always)
private func takeUsualText(
  _ reader: UnsafeMutableRawPointer, _ bytes: UnsafePointer<UInt8>, _ count: Int
) -> Int32 {
  guard isUsual(front(reader), bytes, count, 1) else { return tokens_take_string(reader, bytes, count) }
  return take(front(reader).pointee.context, .text(text(bytes, count)))
}

@inline(__always)
private func takeUsualKey(
  _ reader: UnsafeMutableRawPointer, _ bytes: UnsafePointer<UInt8>, _ count: Int
) -> Int32 {
  guard isUsual(front(reader), bytes, count, 1) else { return tokens_take_key(reader, bytes, count) }
  return take(front(reader).pointee.context, .key(text(bytes, count)), .key)
}

@inline(__always)
private func beginUsualObject(_ reader: UnsafeMutableRawPointer) -> Int32 {
  guard isUsualBegin(front(reader)) else { return tokens_begin_object(reader) }
  return take(front(reader).pointee.context, .beginObject, .begin)
}

@inline(__always)
private func endUsualObject(_ reader: UnsafeMutableRawPointer) -> Int32 {
  guard isUsualEnd(front(reader)) else { return tokens_end_object(reader) }
  return take(front(reader).pointee.context, .endObject)
}

@inline(__always)
private func beginUsualArray(_ reader: UnsafeMutableRawPointer) -> Int32 {
  guard isUsualBegin(front(reader)) else { return tokens_begin_array(reader) }
  return take(front(reader).pointee.context, .beginArray, .begin)
}

@inline(__always)
private func endUsualArray(_ reader: UnsafeMutableRawPointer) -> Int32 {
  guard isUsualEnd(front(reader)) else { return tokens_end_array(reader) }
  return take(front(reader).pointee.context, .endArray)
}
