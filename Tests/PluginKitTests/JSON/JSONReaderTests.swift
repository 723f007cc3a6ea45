import PluginAPI
import PluginJSON
import Testing

struct JSONReaderTests {
  private struct Enough: Error {}

  /// Returns the position of an error in a document.
  private func place(_ text: String, piece: Int = .max) -> JSONPlace? {
    do {
      let reader = try JSONReader { _ in .more }
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: min(piece, bytes.count)) {
        try reader.push(bytes[start..<min(bytes.count, start + min(piece, bytes.count))])
      }
      try reader.finish()
    } catch {
      switch error as? JSONError {
      case .syntax(let place, _), .truncated(let place), .notUTF8(let place), .trailing(let place): return place
      default: break
      }
    }
    return nil
  }

  @Test(arguments: [Int.max, 5, 1]) func `errors have the byte offset, line and column`(piece: Int) {
    #expect(place("{\n  \"a\": [1,\n  @]\n}", piece: piece) == JSONPlace(offset: 15, line: 3, column: 3))
    #expect(place("[1,\r\n2 3]", piece: piece) == JSONPlace(offset: 7, line: 2, column: 3))
    #expect(place("[\n\n\"abc", piece: piece) == JSONPlace(offset: 7, line: 3, column: 5))
    #expect(place("[1]\n\n x", piece: piece) == JSONPlace(offset: 6, line: 3, column: 2))
    #expect(place("[\"long text\" 17]", piece: piece) == JSONPlace(offset: 13, line: 1, column: 14))
  }

  @Test func `an error states the cause, the position and the advice`() throws {
    let reader = try JSONReader { _ in .more }
    let error = try #require(throws: JSONError.self) { try reader.push(Array("[1,\n2 x]".utf8)) }
    #expect(
      error.description
        == "the JSON is malformed at byte 6 (line 2, column 3): invalid char in json text; correct it")
    #expect(error.report.kind == .unusableInput)
    // And again with every later call.
    #expect(throws: error) { try reader.push([0x31]) }
    #expect(throws: error) { try reader.finish() }
    #expect(Set(JSONError.errorCodes.map(\.code)).count == 12)
  }

  @Test func `an error of the handler ends the reading and is thrown`() throws {
    var count = 0
    let reader = try JSONReader { _ in
      count += 1
      if count == 2 { throw Enough() }
      return .more
    }
    #expect(throws: Enough.self) { try reader.push(Array("[1,2,3]".utf8)) }
    #expect(throws: Enough.self) { try reader.finish() }
    #expect(count == 2)
  }

  @Test(arguments: [Int.max, 1]) func `a million levels are read without recursion`(step: Int) throws {
    let levels = 1_000_000
    var (begun, ended) = (0, 0)
    let reader = try JSONReader { event in
      if case .beginArray = event { begun += 1 } else { ended += 1 }
      return .more
    }
    let bytes = [UInt8](repeating: 0x5B, count: levels) + [UInt8](repeating: 0x5D, count: levels)
    if step == 1 {
      for start in stride(from: 0, to: bytes.count, by: 1000) { try reader.push(bytes[start..<start + 1000]) }
    } else {
      try reader.push(bytes)
    }
    try reader.finish()
    #expect(begun == levels && ended == levels && reader.depth == 0)
  }

  @Test func `reading stops at the limits of depth, size and length`() {
    var trace = JSONTrace()
    trace.options.depth = 2
    #expect(trace.read("[[1]]") == "[ [ 1 ] ]")
    #expect(trace.read("[[{}]]") == "[ [ json.too-deep@2")
    trace.options = .init()
    trace.options.sizeInBytes = 5
    #expect(trace.read("[1,2]") == "[ 1 2 ]")
    #expect(trace.read("[1,23]") == "[ 1 json.too-large@-1")
    trace.options = .init()
    trace.options.textInBytes = 3
    #expect(trace.read("[\"abc\",123,\"\\u0061\"]") == "[ \"abc\" 123 \"a\" ]")
    #expect(trace.read("[\"abcd\"]") == "[ json.too-long@7")
    #expect(trace.read("[1234]") == "[ json.too-long@5")
    #expect(trace.read("{\"abcd\":1}") == "{ json.too-long@7")
    // A text without end is not collected either.
    let endless = Array(("\"" + String(repeating: "x", count: 60)).utf8)
    #expect(trace.read(endless, ends: Array(0..<60)) == "json.too-long@0")
  }

  @Test func `a text that is too long is refused while it arrives`() throws {
    for (unit, most) in [("x", 1000 + 2), (#"\n"#, 6020), (#"\u0061"#, 6020)] {
      var options = JSONReader.Options()
      options.textInBytes = 1000
      let reader = try JSONReader(options) { _ in .more }
      try reader.push(Array("[\"".utf8))
      var count = 0
      while count < 100_000 {
        do { try reader.push(Array(unit.utf8)) } catch { break }
        count += unit.utf8.count
      }
      #expect((1000...most).contains(count), "\(unit) \(count)")
    }
  }

  @Test func `escapes count by the length of the decoded text`() throws {
    for unit in [#"\n"#, #"\u0061"#, #"\u00e4"#, "ä"] {
      var options = JSONReader.Options()
      options.textInBytes = 1000
      var length = 0
      let reader = try JSONReader(options) { event in
        if case .text(let text) = event { length = text.bytes.count }
        return .more
      }
      try reader.push(Array("[\"".utf8))
      for _ in 0..<500 { try reader.push(Array(unit.utf8)) }
      try reader.push(Array("\"]".utf8))
      try reader.finish()
      #expect(length == (unit.hasPrefix(#"\u00e"#) || unit == "ä" ? 1000 : 500))
    }
  }

  @Test func `lone surrogates are refused if the option is set`() {
    var trace = JSONTrace()
    trace.options.refusesLoneSurrogates = true
    #expect(trace.read(#"["\ud83d\ude00","\ud83d"]"#) == "[ \"😀\" json.lone-surrogate@24")
  }

  @Test func `the offset of the first replaced surrogate is reported`() throws {
    let reader = try JSONReader { _ in .more }
    try reader.push(Array(#"["a","\ud800","\udfff"]"#.utf8))
    try reader.finish()
    #expect(reader.replacedSurrogates == 2 && reader.firstReplacedSurrogate == 13)
  }

  @Test func `a sequence of documents is read if the option is set`() {
    var trace = JSONTrace()
    trace.options.isSequence = true
    let cases = [
      "": "", " \n": "", "1\n2\n": "1 2", "{\"a\":1}\n{}\n\n[]": "{ k\"a\" 1 } { } [ ]", "\"a\" \"b\"": "\"a\" \"b\"",
      "{}{}": "{ } json.syntax@2", "01": "0 json.syntax@1", "1\"a\"": "1 json.syntax@1", "1,2": "1 json.syntax@1",
      "truefalse": "t json.syntax@4", "1 tru": "1 json.truncated@5", "{} [": "{ } [ json.truncated@4", "12": "12",
      "[] x": "[ ] json.syntax@3",
    ]
    for (text, expected) in cases {
      #expect(trace.read(text) == expected)
      #expect(trace.read(Array(text.utf8), ends: Array(0..<text.utf8.count)) == expected)
    }
  }

  @Test func `values can be skipped or returned as raw bytes`() {
    let text =
      #"{"skip":{"a":[1,{"b":2}]},"keep": {"z" :[ 1.50,"\u00e4\ud800", null ] } ,"x":1,"keep":"q\"","keep":-0.10}"#
    var trace = JSONTrace()
    trace.decide = { event in
      switch event {
      case .key("skip"): .skip
      case .key("keep"): .raw
      default: .more
      }
    }
    let expected =
      #"{ k"skip" k"keep" raw({"z" :[ 1.50,"\u00e4\ud800", null ] }) k"x" 1 k"keep" raw("q\"") k"keep" raw(-0.10) }"#
    let bytes = Array(text.utf8)
    var found: Set<String> = [trace.read(bytes, ends: Array(0..<bytes.count))]
    for end in 0...bytes.count { found.insert(trace.read(bytes, ends: [end])) }
    #expect(found.map { $0.replacing(" replaced 1", with: "") } == [expected])
  }

  @Test func `arrays and objects can be skipped or returned raw once they begin`() {
    var trace = JSONTrace()
    trace.decide = { if case .beginArray = $0 { .raw } else { .more } }
    #expect(trace.read(#"{"a":[1, [2]],"b":[]}"#) == #"{ k"a" [ raw([1, [2]]) k"b" [ raw([]) }"#)
    #expect(trace.read(" [1 , 2] ") == "[ raw([1 , 2])")
    trace.decide = { if case .beginObject = $0 { .skip } else { .more } }
    #expect(trace.read(#"[{"a":{}},1,{}]"#) == "[ { 1 { ]")
    // A skipped value must be JSON too, and has the same limit of depth.
    #expect(trace.read(#"[{"a":}]"#) == "[ { json.syntax@6")
    trace.options.depth = 2
    #expect(trace.read(#"[{"a":[]}]"#) == "[ { json.too-deep@6")
  }

  @Test func `raw text has a limit`() {
    var trace = JSONTrace()
    trace.options.textInBytes = 4
    trace.decide = { if case .beginArray = $0 { .raw } else { .more } }
    #expect(trace.read("[1,2]") == "[ json.too-long@5")
    #expect(trace.read(Array("[1,2]".utf8), ends: [3]) == "[ json.too-long@5")
    #expect(trace.read("[12]") == "[ raw([12])")
  }

  @Test func `a text in many chunks is read in linear time`() throws {
    // Looked through again with every piece, it would take 40 000 passes of 40 MB on average half of it: hours.
    var length = 0
    let reader = try JSONReader { event in
      if case .text(let text) = event { length = text.bytes.count }
      return .more
    }
    try reader.push([0x22])
    let piece = [UInt8](repeating: 0x78, count: 1000)
    for _ in 0..<40_000 { try reader.push(piece) }
    try reader.push([0x5C, 0x6E, 0x22])
    try reader.finish()
    #expect(length == 40_000_001)
  }

  @Test func `numbers become integers and doubles`() throws {
    var integers: [Int?] = []
    var doubles: [Double?] = []
    let reader = try JSONReader { event in
      if case .number(let text) = event {
        integers.append(text.integer)
        doubles.append(text.number)
      }
      return .more
    }
    try reader.push(Array("[0,-7,9223372036854775807,-9223372036854775808,9223372036854775808,1.5,1e2]".utf8))
    #expect(integers == [0, -7, .max, .min, nil, nil, nil])
    #expect(doubles == [0, -7, 9.223372036854775807e18, -9.223372036854775808e18, 9.223372036854775808e18, 1.5, 100])
  }
}
