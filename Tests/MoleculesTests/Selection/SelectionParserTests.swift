import PluginText
import TestSupport
import Testing

@testable import Molecules

/// Tests of the syntax of selections, and of the messages for malformed ones.
struct SelectionParserTests {
  private func parse(_ text: String) throws(SelectionError) -> SelectionExpression { try Selection(text).expression }

  private func fault(_ text: String, sets: SelectionSets = SelectionSets()) -> SelectionError? {
    do {
      _ = try Selection(text, sets: sets)
      return nil
    } catch {
      return error
    }
  }

  private let chainA = SelectionExpression.text(.chain, [TextPattern("A")])

  @Test func `and binds tighter than or, and not tighter than and`() throws {
    let water = SelectionExpression.member(of: .residues(.water))
    let metal = SelectionExpression.member(of: .metal)
    #expect(try parse("water or metal and chain A") == .or([water, .and([metal, chainA])]))
    #expect(try parse("water | metal & chain A") == .or([water, .and([metal, chainA])]))
    #expect(try parse("not water and chain A") == .and([.not(water), chainA]))
    #expect(try parse("!(water or metal)") == .not(.or([water, metal])))
    #expect(try parse("WATER Or Metal") == .or([water, metal]))
  }

  @Test func `distances bind looser than or, and byres looser still`() throws {
    let (water, metal) = (SelectionExpression.member(of: .residues(.water)), SelectionExpression.member(of: .metal))
    #expect(try parse("water or metal within 5 of chain A") == .and([.or([water, metal]), .within(5, of: chainA)]))
    #expect(try parse("within 5 of water or metal") == .within(5, of: .or([water, metal])))
    #expect(try parse("water and within 3.5 of chain A") == .and([water, .within(3.5, of: chainA)]))
    #expect(try parse("byres water within 5 of chain A") == .whole(.residue, .and([water, .within(5, of: chainA)])))
    #expect(try parse("br. water around 5") == .whole(.residue, .around(5, of: water)))
    #expect(try parse("water expand 5") == .within(5, of: water))
    #expect(try parse("same chain as metal") == .whole(.chain, metal))
    #expect(try parse("(byres metal) and water") == .and([.whole(.residue, metal), water]))
  }

  @Test func `operators of bonds and identities bind as in PyMOL`() throws {
    let (water, metal) = (SelectionExpression.member(of: .residues(.water)), SelectionExpression.member(of: .metal))
    #expect(try parse("water or metal in chain A") == .matching(.or([water, metal]), .full, chainA))
    #expect(
      try parse("water like metal and chain A or water")
        == .or([.matching(water, .numberAndName, .and([metal, chainA])), water]))
    #expect(try parse("neighbor water or metal") == .bonded(.or([water, metal]), isOutside: true))
    #expect(try parse("bound_to water and metal") == .bonded(.and([water, metal]), isOutside: false))
    #expect(try parse("bound_to water or metal") == .or([.bonded(water, isOutside: false), metal]))
    #expect(try parse("water or metal extend 2") == .extended(2, .or([water, metal])))
    #expect(try parse("water extend 2 and metal") == .and([.extended(2, water), metal]))
    #expect(try parse("water around 5 or metal") == .or([.around(5, of: water), metal]))
    #expect(try parse("first water or metal") == .end(.first, .or([water, metal])))
    #expect(try parse("element In") == .text(.element, [TextPattern("In")]))
  }

  @Test func `lists, ranges, comparisons and paths are parsed`() throws {
    #expect(try parse("resn ALA+GLY") == .text(.residueName, [TextPattern("ALA"), TextPattern("GLY")]))
    #expect(try parse("c. A, B") == .text(.chain, [TextPattern("A"), TextPattern("B")]))
    #expect(try parse("serial 1-3,7") == .numbers(.serial, [1...3, 7...7]))
    #expect(try parse("b >= 12.5") == .comparison(.bFactor, .greaterOrEqual, 12.5))
    #expect(try parse("charge = -1") == .comparison(.charge, .equal, -1))
    #expect(try parse("x>-3") == .comparison(.x, .greater, -3))
    let range = try #require(ResidueNumberRange(Array("-5--2".utf8)))
    #expect(try parse("i. -5--2") == .residueNumbers([range]))
    #expect(range.first.number == -5 && range.last.number == -2)
    let fifty = try #require(ResidueNumberRange(Array("50".utf8)))
    let path = AtomPath(
      chain: [TextPattern("A")], residue: [.number(fifty)], name: [TextPattern("CA"), TextPattern("CB")])
    #expect(try parse("A/50/CA+CB") == .path(path))
    #expect(try parse("///A/50/CA+CB") == .path(path))
    #expect(try parse("A//") == .path(AtomPath(chain: [TextPattern("A")])))
  }

  @Test func `quoted names can contain any characters`() throws {
    #expect(try parse("name O5'") == .text(.name, [TextPattern("O5'")]))
    #expect(try parse("name 'O5''") == .text(.name, [TextPattern("O5'", isLiteral: true)]))
    #expect(
      try parse("name \"C*\"+'C 1'")
        == .text(
          .name, [TextPattern("C*", isLiteral: true), TextPattern("C 1", isLiteral: true)]))
    #expect(try parse("chain ''") == .text(.chain, [TextPattern("", isLiteral: true)]))
    #expect(try parse("chain 'and'") == .text(.chain, [TextPattern("and", isLiteral: true)]))
  }

  @Test(arguments: [
    ("chian A", 1, "chain"), ("chain A and resnn ALA", 13, "resn"), ("protien", 1, "protein"),
    ("backbon", 1, "backbone"),
    ("water or sidechian", 10, "sidechain"), ("wihtin 5 of all", 1, "within"),
  ])
  func `an unknown word is reported with its column and the nearest word`(text: String, column: Int, nearest: String) {
    guard case .unknownWord(_, let found, let proposal)? = fault(text) else {
      Issue.record("'\(text)' was not refused for its word")
      return
    }
    #expect(found == column && proposal == nearest)
  }

  @Test(
    arguments: [
      ("", nil), ("   ", nil), ("chain", 6), ("chain and water", 7), ("chain A B", 9), ("resi 5-", 6), ("resi 5..7", 6),
      ("(chain A", 1), ("chain A)", 8), ("b 30", 3), ("b >", 4), ("b > high", 5), ("within of water", 8),
      ("within 5 water", 10), ("within -1 of all", 8), ("within nan of all", 8), ("same name as water", 6),
      ("same chain water", 12), ("name 'CA", 6), ("around 5", 1), ("not", 4), ("and water", 1), ("ss Q", 4),
      ("a/b/c/d", 1), ("/m/s/a/b/c/d", 1), ("A/5/CA@BC", 1), ("A/5/CA@", 1), ("extend 2", 1), ("all extend", 11),
      ("all extend -1", 12), ("all extend 1.5", 12), ("in chain A", 1), ("chain A in", 11), ("first", 6), ("pepseq", 7),
      ("pepseq A5", 8), ("neighbor", 9), ("like all", 1), ("water & | metal", 9), ("serial 5A", 8),
      ("chäin é or xyzzy", 1),
    ] as [(String, Int?)])
  func `an error is reported with its column and advice`(text: String, column: Int?) throws {
    let error = try #require(fault(text))
    #expect(error.column == column)
    #expect(!error.message.isEmpty && !error.advice.isEmpty)
    #expect(error.message.first?.isLowercase == true && !error.message.hasSuffix("."))
  }

  @Test func `columns count characters, not bytes`() {
    #expect(fault("chain é and xyzzy")?.column == 13)
  }

  @Test func `hostile expressions are refused`() {
    let deep = String(repeating: "(", count: 1000) + "all" + String(repeating: ")", count: 1000)
    #expect(fault(deep) == .tooDeep(column: 33, limit: 64))
    #expect(fault(String(repeating: "not ", count: 500) + "all") != nil)
    #expect(fault(String(repeating: "byres ", count: 500) + "all") != nil)
    #expect(fault("all" + String(repeating: " around 5", count: 100)) != nil)
    #expect(fault(String(repeating: "within 5 of ", count: 100) + "all") != nil)
    #expect(fault("all" + String(repeating: " extend 5", count: 100)) != nil)
    #expect(fault("all" + String(repeating: " in all", count: 100)) != nil)
    #expect(fault(String(repeating: "bound_to ", count: 100) + "all") != nil)
    #expect(fault(String(repeating: "a", count: 5000)) == .tooLong(limit: 4096))
    #expect(fault("name " + (0..<70).map { "\($0)*" }.joined(separator: ",")) == .tooManyPatterns(column: 6, limit: 64))
    #expect(fault("all" + String(repeating: " or all", count: 500)) == nil)
  }

  @Test func `named sets can use earlier sets but not later ones`() throws {
    var sets = try SelectionSets(["site=resi 5", "near = within 5 of site"])
    #expect(sets.names == ["site", "near"])
    #expect(fault("near and %site", sets: sets) == nil)
    #expect(fault("neer", sets: sets)?.advice == "did you mean 'near'?")
    #expect(throws: SelectionError.self) { try sets.define("site=near") }
    #expect(throws: SelectionError.self) { try sets.define("water=all") }
    #expect(throws: SelectionError.self) { try sets.define("5a=all") }
    #expect(throws: SelectionError.self) { try sets.define("all") }
    #expect(throws: SelectionError.self) { try sets.define("x2=resi") }
    try sets.define("site=resi 6")
    #expect(sets.names == ["site", "near"])
  }

  @Test func `the number of named sets is limited`() throws {
    var sets = SelectionSets()
    for index in 0..<SelectionSets.limit { try sets.define("set\(index)=all") }
    #expect(throws: SelectionError.self) { try sets.define("onemore=all") }
  }

  @Test func `random expressions are parsed or refused without a trap`() {
    var random = SplitMix64(seed: 5)
    let pieces = [
      "chain ", "A", "(", ")", "and ", "or ", "not ", "within 5 of ", "byres ", "resi ", "5-7", "'", "\"", "+", ",",
      "*", "in ", "first ", "extend 2 ", "bound_to ", "@B",
      "b ", "> ", "-", "/", "é", "same chain as ", "%", "=", "!", "1e5", "\u{0}",
    ]
    var read = 0
    for _ in 0..<3000 {
      let text = (0..<Int(random.next() % 12)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
      if fault(text) == nil { read += 1 }
    }
    #expect(read > 0 && read < 3000)
  }
}
