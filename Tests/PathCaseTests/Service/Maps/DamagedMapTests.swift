import PluginText
import TestSupport
import Testing

@testable import PathCase

/// Maps with bytes changed, removed and duplicated: each is read or rejected, and a map that is read can be written.
struct DamagedMapTests {
  static let maps = [
    """
    <sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map id='m' language='process description'><glyph id='c' class='compartment'>
    <bbox x='0' y='0' w='9' h='9'/></glyph><glyph id='a' class='complex' compartmentRef='c'><label text='A'/><bbox x='1' y='1' w='2' h='2'/>
    <glyph id='s' class='state variable'><state value='P'/></glyph><glyph id='b' class='macromolecule'><bbox x='1' y='1' w='1' h='1'/>
    </glyph></glyph><glyph id='p' class='process'><bbox x='5' y='5' w='1' h='1'/><port id='p.1' x='4' y='5'/></glyph>
    <arc id='x' class='consumption' source='a' target='p.1'><start x='1' y='1'/><next x='2' y='2'/><end x='4' y='5'/></arc>
    </map></sbgn>
    """,
    """
    <Pathway xmlns='http://pathvisio.org/GPML/2013a' Name='x'><DataNode TextLabel='A' GraphId='a' Type='Metabolite' GroupRef='G'>
    <Graphics CenterX='1' CenterY='1' Width='2' Height='2'/></DataNode><State GraphRef='a' TextLabel='P'><Graphics RelX='1' RelY='1'/>
    </State><Group GroupId='G' GraphId='g' Style='Complex'/><Group GroupId='H' GraphId='h' GroupRef='G'/>
    <Interaction GraphId='i'><Graphics><Point X='1' Y='1' GraphRef='a'/><Point X='2' Y='3'/><Point X='9' Y='9' GraphRef='g' ArrowHead='Arrow'/>
    <Anchor Position='0.4' GraphId='n'/></Graphics></Interaction><Interaction><Graphics><Point X='1' Y='1'/><Point X='5' Y='5' GraphRef='n'/>
    </Graphics></Interaction></Pathway>
    """,
    """
    <pathway name='path:x1' title='t'><entry id='1' name='cpd:A' type='compound'><graphics name='A' x='1' y='1' width='2' height='2'/></entry>
    <entry id='2' name='ko:B' type='ortholog'><graphics type='line' coords='1,2,3,4'/></entry><entry id='3' name='undefined' type='group'>
    <component id='2'/></entry><reaction id='2' name='rn:R' type='reversible'><substrate id='1' name='cpd:A'/><product id='1' name='cpd:A'/>
    </reaction><relation entry1='1' entry2='2' type='maplink'><subtype name='compound' value='1'/></relation></pathway>
    """,
    """
    <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:bp='http://www.biopax.org/release/biopax-level3.owl#'>
    <bp:SmallMolecule rdf:ID='a'><bp:displayName>A</bp:displayName></bp:SmallMolecule><bp:Conversion rdf:ID='r'><bp:left rdf:resource='#a'/>
    <bp:right><bp:Protein rdf:about='#b'/></bp:right></bp:Conversion><bp:Catalysis rdf:ID='c'><bp:controller rdf:resource='#b'/>
    <bp:controlled rdf:resource='#r'/></bp:Catalysis></rdf:RDF>
    """,
    """
    [{"map_name":"x"},{"reactions":{"7":{"bigg_id":"R","reversibility":true,"label_x":5,"label_y":6,"genes":[{"bigg_id":"g"}],
    "metabolites":[{"bigg_id":"a","coefficient":-2}],"segments":{"1":{"from_node_id":"5","to_node_id":"1","b1":{"x":2,"y":2},"b2":null},
    "2":{"from_node_id":"5","to_node_id":"4"}}}},"nodes":{"1":{"node_type":"metabolite","x":0,"y":0,"bigg_id":"a"},
    "4":{"node_type":"midmarker","x":20,"y":0},"5":{"node_type":"multimarker","x":10,"y":0}},"text_labels":{"1":{"text":"T","x":3,"y":4}},
    "canvas":{"x":0,"y":0,"width":1,"height":5}}]
    """,
  ]

  @Test(arguments: maps.indices) func `damaged maps are read or refused`(index: Int) {
    let whole = Array(Self.maps[index].utf8)
    var random = SplitMix64(seed: UInt64(index + 1))
    var readable = 0
    for _ in 0..<600 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) { Self.damage(&bytes, &random) }
      guard let document = try? MapReader.read(bytes) else { continue }
      readable += 1
      for write in PlacedMapWriters.all { _ = try? write(document) }
      _ = DOTWriter.write(document.graph)
      _ = GraphJSONWriter.write(document.graph)
    }
    #expect((try? MapReader.read(whole)) != nil)
    #expect(readable > 30)
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    guard let place = bytes.indices.randomElement(using: &random) else { return }
    let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0x20..<0x7F, using: &random)
    case 1: bytes[place] = bytes.randomElement(using: &random) ?? 0
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    default:
      // One id, number or word is replaced by another of the file.
      guard let other = bytes.indices.randomElement(using: &random) else { return }
      bytes[place] = bytes[other]
    }
  }
}
