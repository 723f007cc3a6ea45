import PluginAPI
import Testing

/// Byte forms of what passes between a plugin and its host: each survives the way through bytes.
struct ByteFormTests {
  private func again<Whole: ValueConvertible>(_ whole: Whole) throws -> Whole {
    try Whole(decoding: whole.encoded())
  }

  @Test(arguments: [
    Event.key(Key(.character("é"), [.control, .alt])), .key(Key(.function(12), .shift)), .key(Key(.character("-"))),
    .key(Key(.character("+"), .alt)), .key(Key(.character(" "))), .paste("two\nlines"), .focus(true), .visible(false),
    .resize(
      ScreenGeometry(
        size: Size(width: 80, height: 24), pixelsPerCell: Size(width: 9, height: 20), background: .rgb(250, 251, 252))),
    .mouse(Mouse(.press(clicks: 3), button: .right, at: Point(x: 4, y: -1), modifiers: [.shift, .alt])),
    .mouse(Mouse(.scroll(-2), button: .none, at: Point(x: 0, y: 0))),
    .mouse(Mouse(.drag, button: .middle, at: Point(x: 1, y: 2))), .mouse(Mouse(.release, at: Point(x: 1, y: 2))),
  ])
  func `an event survives its byte form`(event: Event) throws {
    #expect(try again(event) == event)
  }

  @Test func `reports, progress and notifications survive their byte form`() throws {
    let report = ErrorReport(
      code: "tides.no-water", kind: .notFound, "the place is on land", advice: "choose one at the coast",
      details: ["place": "Bern"], isRetryable: true)
    #expect(try again(report) == report)
    var diagnostic = Diagnostic(.warning, code: "tides.odd", "an odd line", line: 3, column: 9, advice: "look at it")
    #expect(try again(diagnostic) == diagnostic)
    (diagnostic.line, diagnostic.column, diagnostic.advice) = (nil, nil, nil)
    #expect(try again(diagnostic) == diagnostic)
    #expect(try again(Progress("half", fraction: 0.5)) == Progress("half", fraction: 0.5))
    #expect(try again(Progress("some")) == Progress("some"))
    let notification = Notification(topic: "tides.told", plugin: "tides", payload: [1, nil, "x"])
    #expect(try again(notification) == notification)
  }

  @Test func `an error kind added by a later contract is read as a failure`() throws {
    let report = try ErrorReport(value: ["code": "a.b", "kind": "unheardOf", "message": "it failed"])
    #expect(report.kind == .failure && report.message == "it failed")
  }

  @Test(arguments: [
    CommandRequest.prompt(PromptRequest("Passphrase", text: "", isSecret: true)), .inputLine, .key,
  ])
  func `a command's request survives its byte form`(request: CommandRequest) throws {
    #expect(try again(request) == request)
  }

  @Test func `a sheet of choices survives its byte form`() throws {
    let request = ChoiceRequest(
      "Remove?", choices: [.init(id: "a", title: "A", detail: "one"), .init(id: "b", title: "B")], selected: "b",
      isDestructive: true)
    #expect(try again(request) == request)
  }

  @Test(arguments: [
    Effect.run("read", command: "tides.list", arguments: ["name": "here"]),
    .timer("turn", seconds: 0.25, repeats: true), .cancel("read"), .push(ScreenRequest("day", arguments: ["n": 3])),
    .detail(ScreenRequest("day", plugin: "tides")), .present(ScreenRequest("day")), .replace(ScreenRequest("day")),
    .pop([1, 2]), .notify(topic: "told", "it"), .status(Diagnostic(.note, code: "a.b", "done")), .copy("text"), .quit,
  ])
  func `an effect without functions survives its byte form`(effect: Effect) throws {
    let bytes = try #require(effect.value).encoded()
    let read = try Effect(value: Value(decoding: bytes))
    #expect(read.value == effect.value)
    #expect(String(describing: read) == String(describing: effect))
  }

  @MainActor @Test func `an effect with functions has no byte form`() {
    final class Screen: Controller {
      let title = ""
      var view: any View { PictureView(Picture(width: 0, height: 0), description: "") }
    }
    let screen = Screen()
    #expect(
      screen.load("a", "reading") { _ in
        1
      } then: { _, _ in
      }.value == nil)
    #expect(screen.ask(PromptRequest("Name")) { _, _ in [] }.value == nil)
  }

  @Test(arguments: [
    Message.progress("read", Progress("half", fraction: 0.5)), .emitted("read", [1, 2]), .finished("read"),
    .failed("read", ErrorReport(code: "a.b", kind: .network, "no answer")), .cancelled("read"), .timer("turn"),
    .returned(screen: "day", "x"), .notification(Notification(topic: "a.b", plugin: "a")),
  ])
  func `a message survives its byte form`(message: Message) throws {
    #expect(try String(describing: again(message)) == String(describing: message))
  }

  @Test func `styled text and outlines survive their byte form`() throws {
    var text = StyledText("plain\n")
    text.add(.init("bold", .heading), .init(" and ", Style(foreground: .rgb(1, 2, 3), background: .palette(7))))
    #expect(try again(text) == text)
    let outline = Outline(
      title: "Stations", text: ["two of them"], fields: [.init("Sea", "North Sea")],
      items: [
        .init(id: "1", text: "Büsum", action: ActionInvocation("choose", ["id": "1"])), .init(id: "2", text: "Husum"),
      ])
    #expect(try again(outline) == outline)
  }

  @Test func `a frame with wide characters, pictures and a cursor survives its byte form`() throws {
    var frame = TextFrame(size: Size(width: 20, height: 4), pixelsPerCell: Size(width: 8, height: 16))
    frame.put("漢字 é👩‍🔬x", x: 1, y: 0, .heading)
    frame.put("🇩", x: 0, y: 1)
    frame.put("🇪", x: 1, y: 1)
    frame.put("🇩🇪 end", x: 3, y: 1, .accent)
    frame.put("edge", x: 17, y: 3, Style(attributes: [.reverse, .underline]))
    frame.place(Picture(width: 2, height: 2), in: Rect(x: 2, y: 2, width: 3, height: 1))
    frame.setCursor(x: 5, y: 3)
    let read = try again(frame)
    #expect(read.cells == frame.cells)
    #expect(read.plainText == frame.plainText)
    #expect(read.pictures == frame.pictures)
    #expect(read.cursor == frame.cursor && read.frameSize == frame.frameSize)
    #expect(read.pixelsPerCell == frame.pixelsPerCell)
  }

  @Test(
    arguments: [
      ["size": [-1, 2], "pixelsPerCell": [1, 2]], ["size": [4_000_000, 4_000_000], "pixelsPerCell": [1, 2]],
      ["size": [2, 1], "pixelsPerCell": [1, 2], "lines": [[["three", [:]]]]],
      ["size": [2, 1], "pixelsPerCell": [1, 2], "lines": [[], []]],
      ["size": [2, 1], "pixelsPerCell": [1, 2], "pictures": [["rect": [0, 0, 1, 1]]]],
    ] as [Value])
  func `an invalid frame is refused`(value: Value) {
    #expect(throws: ValueDecodingError.self) { try TextFrame(value: value) }
  }
}

struct NumericArrayTests {
  @Test func `numbers of every type survive their byte form`() throws {
    func check<Number: NumericArrayElement & Equatable>(_ numbers: [Number]) throws {
      let array = NumericArray(numbers)
      let read = try Value(decoding: Value.array(array).encoded()).array
      #expect(read == array && read?.numbers(as: Number.self) == numbers)
    }
    try check([Int8.min, 0, .max])
    try check([Int16.min, 0, .max])
    try check([Int32.min, 0, .max])
    try check([Int64.min, 0, .max])
    try check([UInt8.min, 7, .max])
    try check([UInt16.min, 7, .max])
    try check([UInt32.min, 7, .max])
    try check([UInt64.min, 7, .max])
    try check([Float.pi, -0.0, .infinity])
    try check([Double.pi, -0.0, .leastNonzeroMagnitude])
    try check([Double]())
  }

  @Test func `numbers are little-endian, with the last index varying fastest`() {
    let array = NumericArray([1, 2, 3, 256, 5, 6] as [UInt16], shape: [2, 3])
    #expect(array.bytes == [1, 0, 2, 0, 3, 0, 0, 1, 5, 0, 6, 0])
    #expect(array.shape == [2, 3] && array.count == 6 && array.description == "uint16 2 × 3")
    #expect(array.numbers(as: Int16.self) == nil)
  }

  @Test(arguments: [[-1, -4], [3], [.max, .max], [2, 2, 2]])
  func `a shape that does not match the bytes is refused`(shape: [Int]) {
    #expect(NumericArray(.uint16, shape: shape, bytes: [UInt8](repeating: 0, count: 8)) == nil)
  }

  @Test func `bytes of an array that do not match its shape are refused`() {
    var bytes = Value.array(NumericArray([1, 2] as [UInt8])).encoded()
    bytes.removeLast()
    #expect(throws: ValueDecodingError.self) { try Value(decoding: bytes) }
  }
}
