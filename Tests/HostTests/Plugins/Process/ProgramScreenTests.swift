import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Host

@MainActor @Suite(.timeLimit(.minutes(5))) struct ProgramScreenTests {
  private static let size = Rect(x: 0, y: 0, width: 60, height: 12)

  private static func text(_ view: ProgramView) -> String {
    var frame = TextFrame(size: Size(width: 60, height: 12))
    view.view.draw(into: &frame)
    return frame.plainText
  }

  private static let views: [(Value, shown: [String])] = [
    (["is": "list", "rows": [["id": "b", "title": "Brest", "detail": "France"]]], ["Brest", "France"]),
    (["is": "list", "rows": [], "empty": "No ports"], ["No ports"]),
    (
      ["is": "tree", "rows": [["id": "a", "title": "Atlantic", "children": [["id": "b", "title": "Brest"]]]]],
      ["Atlantic"]
    ),
    (["is": "table", "table": .table(Table(columns: [Table.Column("port", .texts(["Brest"]))]))], ["port", "Brest"]),
    (
      ["is": "form", "sections": [["heading": "Place", "fields": [["label": "Latitude", "value": 48.4]]]]],
      ["Place", "Latitude", "48.4"]
    ),
    (["is": "text", "text": "one\ntwo"], ["one", "two"]),
    (["is": "text", "text": [[["styled", [:]]]]], ["styled"]),
    (["is": "picture", "picture": nil, "description": "a chart"], []),
    (["is": "progress", "label": "Reading", "fraction": 0.5], ["Reading"]),
    (
      ["is": "split", "first": ["is": "text", "text": "left"], "second": ["is": "text", "text": "right"]],
      ["left", "right"]
    ),
  ]

  @Test func `each kind of view is drawn`() throws {
    for (value, shown) in Self.views {
      let text = Self.text(try ProgramView(value))
      for word in shown { #expect(text.contains(word), "\(value)") }
    }
  }

  @Test(
    arguments: [
      [:], ["is": "hologram"], ["is": "list", "rows": [["title": "no id"]]], ["is": "table", "table": [1]],
      ["is": "text", "text": 7], ["is": "picture", "picture": ["width": 1]],
      ["is": "form", "sections": [["fields": [["value": 1]]]]],
      ["is": "split", "first": ["is": "text", "text": ""], "second": nil],
    ] as [Value]) func `a value that is not a view is refused`(value: Value)
  {
    #expect(throws: ValueDecodingError.self) { try ProgramView(value) }
  }

  @Test func `splits cannot be nested without limit`() {
    var value: Value = ["is": "text", "text": ""]
    for _ in 0..<100 { value = ["is": "split", "first": value, "second": ["is": "text", "text": ""]] }
    #expect(throws: ValueDecodingError.self) { try ProgramView(value) }
  }

  @Test func `a new view of the same kind preserves the cursor, another kind does not`() throws {
    func list(_ ids: String...) -> Value {
      ["is": "list", "rows": .list(ids.map { ["id": .text($0), "title": .text($0)] })]
    }
    var view = try ProgramView(list("a", "b", "c"))
    #expect(view.handle(.key(Key(.down)), in: Self.size) == .changed)
    #expect(view.selected == "b")
    view = try ProgramView(list("x", "a", "b"), replacing: view)
    #expect(view.selected == "b")
    #expect(view.handle(.key(Key(.enter)), in: Self.size) == .chosen("b"))
    view = try ProgramView(["is": "text", "text": "t"], replacing: view)
    #expect(view.selected == nil)
  }

  @Test func `a tree shows the children of rows opened by the user`() throws {
    let tree: Value = [
      "is": "tree",
      "rows": [
        ["id": "a", "title": "Atlantic", "children": [["id": "b", "title": "Brest"]]], ["id": "c", "title": "C"],
      ],
    ]
    var view = try ProgramView(tree)
    #expect(!Self.text(view).contains("Brest"))
    #expect(view.handle(.key(Key(.right)), in: Self.size) == .changed)
    #expect(Self.text(view).contains("Brest"))
    view = try ProgramView(tree, replacing: view)
    #expect(Self.text(view).contains("Brest"))
    #expect(view.handle(.key(Key(.right)), in: Self.size) == .changed)
    #expect(!Self.text(view).contains("Brest"))
  }

  @Test(
    arguments: [
      ["is": "list", "rows": [["id": "a", "title": "A"], ["id": "b", "title": "B"], ["id": "c", "title": "C"]]],
      ["is": "table", "table": .table(Table(columns: [Table.Column("port", .texts(["A", "B", "C"]))]))],
      [
        "is": "tree",
        "rows": [["id": "a", "title": "A", "children": [["id": "b", "title": "B"], ["id": "c", "title": "C"]]]],
      ],
      [
        "is": "split", "first": ["is": "list", "rows": [["id": "a", "title": "A"], ["id": "b", "title": "B"]]],
        "second": ["is": "text", "text": "t"],
      ],
    ] as [Value])
  func `the cursor and expanded rows of the last run are restored if they still exist`(value: Value) throws {
    var view = try ProgramView(value)
    let first = view.selected
    // Right opens a row of a tree; a table has one column, and a list no row to open.
    _ = view.handle(.key(Key(.right)), in: Self.size)
    #expect(view.handle(.key(Key(.down)), in: Self.size) == .changed)
    #expect(view.selected != first)
    var next = try ProgramView(value)
    next.move(to: try Value(decoding: view.position.encoded()))
    #expect(next.selected == view.selected && Self.text(next) == Self.text(view))
    for other: Value in [nil, 7, ["selected": "gone", "expanded": ["gone"]], ["selected": "-1"], ["selected": ["a"]]] {
      var same = try ProgramView(value)
      same.move(to: other)
      #expect(same.selected == first)
    }
  }

  @Test func `a screen starts with the cursor of the last run unless the program selects a row`() async throws {
    let selecting = Self.list.replacing("{\"is\":\"list\"", with: "{\"is\":\"list\",\"selected\":\"b\"")
    let program = try await ScriptedProgram(
      #"""
      hello
      take; say '{"jsonrpc":"2.0","id":2,"result":{"view":\#(Self.list)}}'; take
      take; say '{"jsonrpc":"2.0","id":3,"result":{"view":\#(Self.list)}}'; take
      take; say '{"jsonrpc":"2.0","id":4,"result":{"view":\#(selecting)}}'; take
      take
      """#)
    let screen = try program.plugin.screen("main")
    await screen.settle()
    screen.press("down")
    let state = screen.controller.saveState()
    screen.close()
    for selected in ["Cuxhaven", "Brest"] {
      let next = try program.plugin.screen("main")
      next.controller.restore(state)
      // Before there is a view, the state is that of the last run.
      #expect(next.controller.saveState() == state)
      await next.settle()
      #expect(next.text.contains("▌ " + selected))
      next.close()
    }
    let other = try await ScriptedProgram(
      #"hello; take; say '{"jsonrpc":"2.0","id":2,"result":{"view":\#(Self.list)}}'; take"#)
    let damaged = try other.plugin.screen("main")
    damaged.controller.restore([1, 2, 3])
    await damaged.settle()
    #expect(damaged.text.contains("▌ Brest"))
    damaged.close()
  }

  private static let list =
    #"{"is":"list","title":"Ports","rows":[{"id":"b","title":"Brest"},{"id":"c","title":"Cuxhaven"}]}"#

  @Test func `a screen shows the program's view and reports the user's choices`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello; take; say "$message" >>"$notes"
      say '{"jsonrpc":"2.0","id":2,"result":{"title":"Ports","view":\#(Self.list)}}'
      take; say "$message" >>"$notes"
      view='{"is":"text","text":"one port"}'
      say "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"view\":$view,\"effects\":[{\"is\":\"copy\",\"text\":\"c\"}]}}"
      take; say "$message" >>"$notes"
      say '{"jsonrpc":"2.0","id":4,"result":{"status":["added"]}}'
      take; say "$message" >>"$notes"; take
      """#)
    let screen = try program.plugin.screen("main", ["document": "x"])
    await screen.settle()
    #expect(screen.text.contains("Cuxhaven") && screen.controller.title == "Ports")
    screen.press("down", "enter")
    await screen.settle()
    #expect(screen.text.contains("one port"))
    #expect(screen.requests.contains { if case .copy("c") = $0 { true } else { false } })
    screen.perform(ActionInvocation("add", ["count": 2]))
    await screen.settle()
    #expect(screen.controller.status.map(\.text) == ["added"])
    screen.close()
    #expect(polls { program.notes().count == 4 })
    let notes = program.notes()
    #expect(notes[0].contains(#""method":"open","params":{"screen":"#))
    #expect(notes[0].contains(#""name":"main","arguments":{"document":"x"}"#))
    #expect(notes[1].contains(#""event":{"is":"chosen","id":"c"}"#))
    #expect(notes[2].contains(#""event":{"is":"action","action":"add","arguments":{"count":2},"selected":null}"#))
    #expect(notes[3].contains(#""method":"close""#))
  }

  @Test func `a program that ends while its screen is shown is restarted`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello; take; say "$message" >>"$notes"
      say '{"jsonrpc":"2.0","id":2,"result":{"view":\#(Self.list)}}'
      take; exit 1
      """#)
    let screen = try program.plugin.screen("main")
    await screen.settle()
    screen.press("enter")
    await screen.settle()
    #expect(screen.failures.map(\.code) == ["host.plugin-ended"])
    #expect(screen.text.contains("Brest"))
    screen.press("enter")
    await screen.settle()
    #expect(screen.failures.count == 1 && screen.text.contains("Brest"))
    #expect(program.notes().count == 2 && program.notes().allSatisfy { $0.contains(#""method":"open""#) })
    screen.close()
  }

  @Test func `Enter reopens a screen that could not be opened`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello; take
      if [ ! -e "$notes" ]; then echo failed >"$notes"; exit 1; fi
      say '{"jsonrpc":"2.0","id":2,"result":{"view":\#(Self.list)}}'; take
      """#)
    let screen = try program.plugin.screen("main")
    await screen.settle()
    #expect(screen.text.contains("status 1") && screen.text.contains("Enter tries again"))
    screen.press("enter")
    await screen.settle()
    #expect(screen.text.contains("Brest"))
    screen.close()
  }

  @Test func `a response that is not a view is shown as an error`() async throws {
    let program = try await ScriptedProgram(
      #"hello; take; say '{"jsonrpc":"2.0","id":2,"result":{"view":{"is":"hologram"}}}'; take"#)
    let screen = try program.plugin.screen("main")
    await screen.settle()
    let problem = screen.requests.compactMap { if case .status(let diagnostic) = $0 { diagnostic } else { nil } }.first
    #expect(problem?.code == "host.plugin-bad-message" && problem?.message.contains("a view: list, tree") == true)
    screen.close()
  }
}
