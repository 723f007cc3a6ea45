import Testing

@testable import Molecules

struct ElementTests {
  @Test func `every symbol in any case gives its element`() {
    let wrong = (UInt8(0)...119).filter { code in
      let element = Element(rawValue: code)
      return Element(symbol: element.symbol.lowercased()) != element
        || Element(symbol: element.symbol.uppercased()) != element
    }
    #expect(wrong == [])
    #expect(Element(symbol: "Qq") == nil)
    #expect(Element(symbol: "") == nil)
  }

  @Test func `the table is in the order of atomic numbers`() {
    #expect(Element(symbol: "Fe")?.atomicNumber == 26)
    #expect(Element(symbol: "U")?.atomicNumber == 92)
    #expect(Element(symbol: "Og")?.atomicNumber == 118)
    #expect(Element.deuterium.atomicNumber == 1)
    #expect(Element.oxygen.covalentRadius == 0.66)
    #expect(Element(symbol: "Zn")?.isMetal == true)
    #expect(Element.carbon.isMetal == false)
  }
}
