import PluginAPI
import PluginJSON
import Testing

@testable import OpenBIS

@Suite struct GraphReaderTests {
  /// Three samples: the first in full, including its parent and grandparent, which are only numbers in the list.
  static let yeasts = """
    {"@type":"as.dto.common.search.SearchResult","@id":1,"objects":[
      {"@type":"as.dto.sample.Sample","@id":2,"fetchOptions":{"@type":"as.dto.sample.fetchoptions.SampleFetchOptions",
       "@id":3,"count":10,"from":0},"permId":{"@type":"as.dto.sample.id.SamplePermId","@id":4,"permId":"20240101-1"},
       "code":"Y1","type":{"@type":"as.dto.sample.SampleType","@id":10,"code":"YEAST","modificationDate":1},
       "tags":null,"parents":[{"@type":"as.dto.sample.Sample","@id":12,"fetchOptions":3,"permId":
         {"@type":"as.dto.sample.id.SamplePermId","@id":13,"permId":"20240101-3"},"code":"Y3","type":10,
         "parents":[{"@id":15,"permId":{"@id":16,"permId":"20240101-2"},"code":"Y2","type":10,"parents":[2],
           "children":[12]}],"children":[2]}],
       "children":[15]}, 15, 12],"totalCount":3}
    """

  private func codes(_ text: String, pieceSize: Int = .max) throws -> (codes: [String], reader: GraphReader) {
    var codes: [String] = []
    let reader = GraphReader(.search) { graph, node in codes.append(graph.text(.code, of: node) ?? "?") }
    try read(Array(text.utf8), pieceSize: pieceSize, reader)
    return (codes, reader)
  }

  private func failure(_ text: String, _ shape: GraphParser.Shape = .search) -> GraphError? {
    do {
      try read(Array(text.utf8), pieceSize: .max, GraphReader(shape))
      return nil
    } catch {
      return error as? GraphError
    }
  }

  @Test func `Case 54: numbers in the list refer to objects written before, in the list's order`() throws {
    let (codes, reader) = try codes(Self.yeasts)
    #expect(codes == ["Y1", "Y2", "Y3"])
    #expect(reader.totalCount == 3)
  }

  @Test func `Case 54: objects in a cycle have the same identity from all sides`() throws {
    let graph = try codes(Self.yeasts).reader.graph
    let y1 = try #require(graph.node(id: 2))
    let y3 = try #require(graph.node(.parents, of: y1))
    let y2 = try #require(graph.node(.parents, of: y3))
    #expect(graph.node(.parents, of: y2) == y1)
    #expect(graph.nodes(.children, of: y1) == [y2])
    #expect(graph.nodes(.children, of: y2) == [y3])
    #expect(graph.nodes(.children, of: y3) == [y1])
    #expect(Set([y1, y2, y3].map { graph.node(.type, of: $0) }).count == 1)
  }

  @Test func `a property whose value is an object is shown by its identifier, else its code`() throws {
    let text = #"""
      {"@id":1,"objects":[{"@id":2,"code":"A","properties":{"PARTNER":{"@type":"as.dto.sample.Sample","@id":3,
       "permId":{"@id":4,"permId":"2024-9"},"identifier":{"@id":5,"identifier":"/LAB/B"},"code":"B"},"NOTE":"x",
       "OTHERS":[{"@id":6,"code":"C"},{"@id":7,"permId":{"@id":8,"permId":"2024-7"}}],"NONE":{"@id":9}}}],"totalCount":1}
      """#
    var found: [NativeProperty] = []
    let reader = GraphReader(.search) { graph, node in found = graph.pairs(of: node) }
    try read(Array(text.utf8), pieceSize: 7, reader)
    #expect(found.map(\.code) == ["PARTNER", "NOTE", "OTHERS"])
    #expect(found.map(\.value) == ["/LAB/B", "x", "C\n2024-7"])
  }

  @Test func `Case 54: a forward reference is refused`() {
    let text = #"{"@id":1,"objects":[{"@id":2,"code":"A","parents":[3]},{"@id":3,"code":"B"}]}"#
    #expect(failure(text) == .forwardReference("parents", id: "3"))
    #expect(failure(#"{"@id":1,"objects":[7]}"#) == .forwardReference("objects", id: "7"))
    #expect(failure(#"{"@id":1,"objects":[{"@id":2,"code":"A","type":9}]}"#) == .forwardReference("type", id: "9"))
  }

  @Test func `Case 54: a number used twice is refused`() {
    let text = #"{"@id":1,"objects":[{"@id":2,"code":"A"},{"@id":2,"code":"B"}]}"#
    #expect(failure(text) == .repeatedID("2"))
    #expect(failure(#"{"@id":1,"objects":[{"@id":2,"tags":[{"@id":1}]}]}"#) == .repeatedID("1"))
  }

  @Test func `A response may be split at any byte`() throws {
    for size in 1...70 { #expect(try codes(Self.yeasts, pieceSize: size).codes == ["Y1", "Y2", "Y3"]) }
    let bytes = Array(Self.yeasts.utf8)
    for place in 1..<bytes.count {
      var codes: [String] = []
      let reader = GraphReader(.search) { graph, node in codes.append(graph.text(.code, of: node) ?? "?") }
      let json = try JSONReader { try reader.take($0) }
      try json.push(bytes[..<place])
      try json.push(bytes[place...])
      try json.finish()
      #expect(codes == ["Y1", "Y2", "Y3"])
    }
  }

  @Test func `Objects first written in an unused member can be referred to`() throws {
    let text = """
      {"@id":1,"objects":[{"@id":2,"code":"A","modifier":{"@id":3,"userId":"ada"},"registrator":3,
      "tags":[{"@id":4,"owner":{"@id":5,"userId":"eve"}}]},{"@id":6,"code":"B","registrator":5}]}
      """
    var names: [String] = []
    let reader = GraphReader(.search) { graph, node in
      names.append(graph.node(.registrator, of: node).flatMap { graph.text(.userId, of: $0) } ?? "?")
    }
    try read(Array(text.utf8), pieceSize: .max, reader)
    #expect(names == ["ada", "eve"])
  }

  @Test func `An object repeated in the list is returned once`() throws {
    #expect(try codes(#"{"@id":1,"objects":[{"@id":2,"code":"A"},2,2]}"#).codes == ["A"])
  }

  @Test func `A hundred thousand generations are read`() throws {
    let depth = 100_000
    var text = #"{"@id":1,"objects":["#
    for id in 2..<(depth + 2) { text += #"{"@id":\#(id),"code":"S\#(id)","parents":["# }
    text += "2" + String(repeating: "]}", count: depth)
    text += ",\(depth + 1)],\"totalCount\":2}"
    let (codes, reader) = try codes(text)
    #expect(codes == ["S2", "S\(depth + 1)"])
    let graph = reader.graph
    #expect(graph.count == depth + 1)
    var node = try #require(graph.node(id: 2))
    for _ in 0..<depth { node = try #require(graph.node(.parents, of: node)) }
    #expect(node == graph.node(id: 2))
  }

  @Test func `Large, negative and sparse numbers identify objects too`() throws {
    let text = """
      {"@id":-5,"objects":[{"@id":9000000000,"code":"A"},{"@id":4194305,"code":"B"},{"@id":0,"code":"C"},
      {"@id":1024,"code":"D"},{"@id":1025,"code":"E"},{"@id":1023,"code":"F"},{"@id":1,"code":"G","parents":
      [9000000000,4194305,0,1024,1025,1023,-5]}]}
      """
    let (found, reader) = try codes(text)
    #expect(found == ["A", "B", "C", "D", "E", "F", "G"])
    let parents = reader.graph.nodes(.parents, of: try #require(reader.graph.node(id: 1)))
    #expect(parents.prefix(6).map { reader.graph.text(.code, of: $0) } == ["A", "B", "C", "D", "E", "F"])
    #expect(failure(#"{"@id":5000000,"objects":[{"@id":5000000}]}"#) == .repeatedID("5000000"))
    #expect(failure(#"{"@id":1025,"objects":[{"@id":1024},{"@id":1025}]}"#) == .repeatedID("1025"))
  }

  @Test func `Integers in maps and in unknown members are not references`() throws {
    let text = """
      {"@id":1,"objects":[{"@id":2,"code":"A","metaData":{"type":77,"parents":[78]},"version":99,"ranks":[1000],
      "parentsRelationships":{"20240101-1":1234}}]}
      """
    #expect(try codes(text).codes == ["A"])
  }

  @Test func `A response of another form is reported with the expected form`() {
    #expect(failure("null") == .otherShape(expected: "a result with objects", found: "nothing"))
    #expect(failure(#""x""#, .map) == .otherShape(expected: "an object", found: "a text"))
    #expect(failure("{}", .list) == .otherShape(expected: "a list", found: "an object"))
    #expect(failure("[]") == .otherShape(expected: "a result with objects", found: "a list"))
    #expect(failure(#"{"@id":1,"objects":["A"]}"#) == .otherShape(expected: "an object", found: "a text"))
    #expect(failure(#"{"@id":1.5}"#) == .otherShape(expected: "the number of an object", found: "'1.5'"))
  }

  @Test func `A search response without a list of objects is refused`() {
    for text in ["{}", #"{"@id":1,"totalCount":7}"#, #"{"@id":1,"objects":null}"#, #"{"objects":{},"totalCount":0}"#] {
      #expect(throws: UselessResult("it has no list of objects")) { try codes(text) }
    }
  }

  @Test func `Every error of a graph has a code that is listed`() {
    let errors: [GraphError] = [
      .forwardReference("type", id: "1"), .repeatedID("1"), .otherShape(expected: "a", found: "b"),
    ]
    #expect(Set(errors.map(\.report.code)) == Set(GraphError.errorCodes.map(\.code)))
  }
}

extension GraphReaderTests {
  @Test func `Damaged responses are read or end with an error, and never crash`() {
    let whole = Array(Self.yeasts.utf8)
    var seed: UInt64 = 1
    func next(_ limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: seed >> 33) % limit
    }
    var complete = 0
    for _ in 0..<5000 {
      var bytes = whole
      switch next(3) {
      case 0: bytes[next(bytes.count)] ^= UInt8(1 << next(8))
      case 1: bytes.removeSubrange(next(bytes.count / 2)..<(bytes.count / 2 + next(bytes.count / 2)))
      default: bytes.swapAt(next(bytes.count), next(bytes.count))
      }
      let reader = GraphReader(.search) { graph, node in _ = NativeObject(.sample, node, in: graph) }
      do {
        try read(bytes, pieceSize: 1 + next(300), reader)
        complete += 1
      } catch {
        // An error of JSON or of the graph: both are correct.
      }
    }
    #expect(complete > 0 && complete < 5000)
  }
}
