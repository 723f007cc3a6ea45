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

  private static let misplacedIDs: [(Value, problem: String)] = [
    (["is": "list", "rows": [["id": 7, "title": "T"]]], #"'rows[0].id' is not a text such as "7""#),
    (
      ["is": "list", "rows": [["id": "a", "title": "T"], ["id": 1.5, "title": "T"]]],
      #"'rows[1].id' is not a text such as "1.5""#
    ),
    (["is": "list", "rows": [["id": true, "title": "T"]]], "'rows[0].id' is not a text"),
    (["is": "list", "rows": [["id": ["a"], "title": "T"]]], "'rows[0].id' is not a text"),
    (["is": "list", "rows": [["id": nil, "title": "T"]]], "'rows[0].id' is not there: a row needs 'id' and 'title'"),
    (["is": "list", "rows": [["id": "a"]]], "'rows[0].title' is not there: a row needs 'id' and 'title'"),
    (["is": "list", "rows": ["a"]], "'rows[0].id' is not there: a row needs 'id' and 'title'"),
    (
      ["is": "tree", "rows": [["id": "a", "title": "T", "children": [["id": "b", "title": "T"], ["id": 2]]]]],
      #"'rows[0].children[1].id' is not a text such as "2""#
    ),
    (
      ["is": "form", "sections": [[:], ["fields": [["label": 5, "value": 1]]]]],
      #"'sections[1].fields[0].label' is not a text such as "5""#
    ),
    (
      [
        "is": "split", "first": ["is": "text", "text": "t"],
        "second": ["is": "split", "first": ["is": "list", "rows": [["id": 4]]], "second": nil],
      ], #"'second.first.rows[0].id' is not a text such as "4""#
    ),
  ]

  @Test func `the error for an id that is not a text names its row`() {
    for (value, problem) in Self.misplacedIDs {
      let error = #expect(throws: ValueDecodingError.self) { try ProgramView(value) }
      #expect(error?.description == problem)
    }
  }

  private static let ignoredFields: [(Value, problem: String)] = [
    (["is": "list", "rows": ["id": "a"]], "'rows' is not a list"),
    (["is": "list", "rows": [["id": "a", "title": "T"]], "selected": 7], #"'selected' is not a text such as "7""#),
    (["is": "tree", "rows": 7], "'rows' is not a list"),
    (["is": "tree", "rows": [["id": "a", "title": "T", "children": "b"]]], "'rows[0].children' is not a list"),
    (["is": "form", "sections": "a"], "'sections' is not a list"),
    (["is": "form", "sections": [[:], ["fields": true]]], "'sections[1].fields' is not a list"),
    (
      ["is": "form", "sections": [["fields": [["label": "L", "value": 1, "id": 3], ["label": "M", "id": 4]]]]],
      #"'sections[0].fields[0].id' is not a text such as "3""#
    ),
    (
      ["is": "split", "first": ["is": "text", "text": "t"], "second": ["is": "form", "sections": 1]],
      "'second.sections' is not a list"
    ),
  ]

  @Test func `a field that earlier versions ignored is ignored, and the first one is named`() throws {
    for (value, problem) in Self.ignoredFields {
      let view = try ProgramView(value)
      #expect(view.ignored?.description == problem)
    }
    for (value, _) in Self.views { #expect(try ProgramView(value).ignored == nil) }
  }

  @Test func `a screen with ignored fields is shown, and its log names the first one once`() async throws {
    let list = #"{"is":"list","rows":[{"id":"d","title":"Dover"}],"selected":7}"#
    let program = try await ScriptedProgram(
      #"""
      hello
      take; say '{"jsonrpc":"2.0","id":2,"result":{"view":\#(list)}}'
      take; say '{"jsonrpc":"2.0","id":3,"result":{"view":{"is":"form","sections":7}}}'
      take; say '{"jsonrpc":"2.0","id":4,"result":{"view":\#(Self.list)}}'
      take
      """#)
    let screen = try program.plugin.screen("main")
    await screen.settle()
    #expect(screen.text.contains("Dover"))
    for _ in 0..<2 {
      screen.perform(ActionInvocation("add"))
      await screen.settle()
    }
    #expect(screen.text.contains("Brest") && program.processes.count == 1)
    let ignored = program.plugin.context.logLines.filter { $0.message.contains("is ignored") }
    #expect(
      ignored.map(\.message) == [#"a field of the program's view is ignored: 'selected' is not a text such as "7""#])
    #expect(ignored.map(\.severity) == [.warning])
    screen.close()
  }

  @Test func `any text is the id of a row, and numbers are shown beside it`() throws {
    for id in ["", " ", "7", "a/b \"c\"", "ä\u{1F600}", String(repeating: "x", count: 10_000)] {
      var view = try ProgramView([
        "is": "list", "rows": [["id": .text(id), "title": "Brest", "detail": 7, "badge": 2.5]],
      ])
      #expect(view.selected == id && Self.text(view).contains("7") && Self.text(view).contains("2.5"))
      #expect(view.handle(.key(Key(.enter)), in: Self.size) == .chosen(id))
    }
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
    #expect(screen.text.contains("a view: list, tree") && screen.text.contains("Enter tries again"))
    screen.close()
  }

  @Test func `Enter reopens a screen whose program responded without a view`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello
      take; say '{"jsonrpc":"2.0","id":2,"result":{"view":{"is":"hologram"}}}'
      take; say "$message" >>"$notes"
      take; say "$message" >>"$notes"; say '{"jsonrpc":"2.0","id":3,"result":{"view":\#(Self.list)}}'
      take
      """#)
    let screen = try program.plugin.screen("main")
    await screen.settle()
    #expect(screen.text.contains("Enter tries again"))
    screen.press("enter")
    await screen.settle()
    #expect(screen.text.contains("Brest"))
    let notes = program.notes()
    #expect(notes.count == 2 && notes[0].contains(#""method":"close""#) && notes[1].contains(#""method":"open""#))
    screen.close()
  }

  @Test func `Enter while a screen is opened does not open it again`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello
      take; say '{"jsonrpc":"2.0","id":2,"result":{"view":\#(Self.list)}}'
      take; say "$message" >>"$notes"; say '{"jsonrpc":"2.0","id":3,"result":{"view":\#(Self.list)}}'
      take
      """#)
    let screen = try program.plugin.screen("main")
    screen.press("enter")
    await screen.settle()
    #expect(screen.text.contains("Brest"))
    screen.press("enter")
    await screen.settle()
    #expect(program.notes().count == 1 && program.notes().allSatisfy { $0.contains(#""method":"event""#) })
    screen.close()
  }

  @Test func `a row without a text as id leaves the program running and the last view shown`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello
      take; say '{"jsonrpc":"2.0","id":2,"result":{"view":\#(Self.list)}}'
      take; say '{"jsonrpc":"2.0","id":3,"result":{"view":{"is":"list","rows":[{"id":7,"title":"Dover"}]}}}'
      take; say '{"jsonrpc":"2.0","id":4,"result":{"view":{"is":"list","rows":[{"id":"d","title":"Dover"}]}}}'
      take
      """#)
    let screen = try program.plugin.screen("main")
    await screen.settle()
    screen.press("enter")
    await screen.settle()
    let problem = #"the answer of the program: 'rows[0].id' is not a text such as "7""#
    let shown = screen.requests.compactMap { if case .status(let diagnostic) = $0 { diagnostic } else { nil } }
    #expect(shown.map(\.code) == ["host.plugin-bad-message"] && shown.map(\.message) == [problem])
    #expect(program.plugin.context.logLines.map(\.message).contains(problem))
    #expect(screen.text.contains("Brest") && !screen.text.contains("Dover"))
    screen.press("enter")
    await screen.settle()
    #expect(screen.text.contains("Dover") && program.processes.count == 1)
    screen.close()
  }

  @Test func `a response to the id of a row ends the program, and the log has the whole reason`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello
      take; say '{"jsonrpc":"2.0","id":2,"result":{"view":\#(Self.list)}}'
      take; say '{"jsonrpc":"2.0","id":"b","result":{}}'; take
      """#)
    let screen = try program.plugin.screen("main")
    await screen.settle()
    screen.press("enter")
    await screen.settle()
    let reason = "it responded to request 'b', which is not pending; request 3 is"
    #expect(screen.failures.map(\.code) == ["host.plugin-bad-message"])
    #expect(screen.failures.first?.message.hasSuffix(reason) == true)
    #expect(program.plugin.context.logLines.contains { $0.message.hasSuffix(reason) })
    #expect(screen.text.contains("Brest"))
    screen.close()
  }
}
