import PluginCompression

@testable import PathCase

/// Valid inputs of every supported kind, written for these tests, and the small real ones if they are present.
enum NetworkSeeds {
  /// Small synthetic inputs, several times as likely as real ones.
  static let own: [[UInt8]] = {
    let contract = ContractWriter.documents(of: MawSamples.small).map(\.bytes)
    let texts = DamagedMapTests.maps + [flux, level2, layouts, cobra, scenario, overlay, rules, table, labels, rows]
    let plain = contract + texts.map { Array($0.utf8) } + wrapped
    return plain + [0, 1, 6, 7, contract.count].compactMap { try? Gzip.compress(plain[$0]) }
  }()

  /// Small real inputs; empty if they are absent.
  static let real: [[UInt8]] = {
    var found: [[UInt8]] = []
    for folder in ["sbgn", "gpml", "smda", "maw/cori", "sbml", "biopax", "escher"] {
      for file in MapTruth.files(folder, ending: [".sbgn", ".gpml", ".json", ".xml", ".owl"]) {
        if let bytes = MapTruth.bytes(file), bytes.count < longestInBytes { found.append(bytes) }
      }
    }
    for archive in ["sbml/sbml-test-suite-fbc.tar.gz", "sbml/layout-pass.tar.gz"] {
      for (name, bytes) in SBMLTruth.archive(archive).sorted(by: { $0.key < $1.key }) where name.hasSuffix(".xml") {
        if bytes.count < longestInBytes { found.append(bytes) }
      }
    }
    return found
  }()

  /// The maximum size in bytes, so that there can be many inputs.
  private static let longestInBytes = 16_000

  /// The kinds of envelopes.
  private static let wrapped: [[UInt8]] = BadInputs.all.filter { [46, 47, 48].contains($0.number) }
    .compactMap { try? $0.own() }

  /// Fragments that are meaningful to some reader.
  static let tokens: [[UInt8]] =
    [
      "<!DOCTYPE x [", "<!ENTITY a \"b\">", "&a;", "&#3;", "&#x110000;", "]]>", "<![CDATA[", "<!--", "-->", "<?xml",
      "?>",
      "xmlns=''", "xmlns:fbc='x'", "id=''", "id='c'", "NaN", "INF", "-INF", "Infinity", "1e400", "0x10", "2,5", "-1",
      "0",
      "1e-320", "99999999999999999999", "true", "yes", "\u{202E}", "\u{200D}", "\u{301}", "\u{9B}31m", "null", "{}",
      "[]",
      "[[[[", "\"id\"", "{\"a\":", ",", ":", "\\u0000", "\\ud800", "((((", "))", " and ", " or ", "|", "U|A|C|S", "..",
      "<LOD", "<apply>", "</apply>", "<lambda>", "<bvar>", "<piecewise/>", "<ci>a</ci>",
      "<cn type='rational'>1<sep/>0</cn>",
      "<divide/>", "<factorial/>", "<glyph/>", "<Group/>", "GroupRef='G'", "compartmentRef='c'", "<fbc:or>",
      "</fbc:or>",
      "\r\n", "\n\n", "\t",
    ].map { Array($0.utf8) } + [
      [0], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xEF, 0xBB, 0xBF], [0x1F, 0x8B, 8, 0],
    ]

  private static let flux = """
    <?xml version="1.0" encoding="UTF-8"?>
    <sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" xmlns:fbc="http://www.sbml.org/sbml/level3/version1/fbc/version2" xmlns:groups="http://www.sbml.org/sbml/level3/version1/groups/version1" level="3" version="1" fbc:required="false" groups:required="false">
    <model id="m" fbc:strict="false"><notes><p xmlns="http://www.w3.org/1999/xhtml">x</p></notes>
    <listOfFunctionDefinitions><functionDefinition id="f"><math xmlns="http://www.w3.org/1998/Math/MathML"><lambda><bvar><ci>x</ci></bvar><apply><times/><ci>x</ci><cn>2</cn></apply></lambda></math></functionDefinition></listOfFunctionDefinitions>
    <listOfCompartments><compartment id="c" constant="true"/></listOfCompartments>
    <listOfSpecies><species id="a" compartment="c" boundaryCondition="false" fbc:charge="-1" fbc:chemicalFormula="C3H5O3"/><species id="b" compartment="c" boundaryCondition="true"/></listOfSpecies>
    <listOfParameters><parameter id="lo" value="-5" constant="true"/><parameter id="up" constant="false"/><parameter id="n" value="2" constant="true"/></listOfParameters>
    <listOfInitialAssignments><initialAssignment symbol="up"><math xmlns="http://www.w3.org/1998/Math/MathML"><apply><plus/><apply><ci>f</ci><ci> n </ci></apply><cn type="e-notation">1<sep/>1</cn><piecewise><piece><cn>3</cn><apply><gt/><ci>n</ci><cn>1</cn></apply></piece><otherwise><cn>4</cn></otherwise></piecewise></apply></math></initialAssignment></listOfInitialAssignments>
    <listOfReactions><reaction id="r" reversible="true" fast="false" fbc:lowerFluxBound="lo" fbc:upperFluxBound="up"><listOfReactants><speciesReference species="a" stoichiometry="2" constant="true"/></listOfReactants><listOfProducts><speciesReference id="sr" species="b" constant="false"/></listOfProducts><fbc:geneProductAssociation><fbc:or><fbc:geneProductRef fbc:geneProduct="g"/><fbc:and><fbc:geneProductRef fbc:geneProduct="g"/><fbc:geneProductRef fbc:geneProduct="h"/></fbc:and></fbc:or></fbc:geneProductAssociation></reaction></listOfReactions>
    <listOfRules><assignmentRule variable="sr"><math xmlns="http://www.w3.org/1998/Math/MathML"><apply><divide/><ci>n</ci><cn>4</cn></apply></math></assignmentRule></listOfRules>
    <fbc:listOfObjectives fbc:activeObjective="o"><fbc:objective fbc:id="o" fbc:type="maximize"><fbc:listOfFluxObjectives><fbc:fluxObjective fbc:reaction="r" fbc:coefficient="1"/></fbc:listOfFluxObjectives></fbc:objective></fbc:listOfObjectives>
    <fbc:listOfGeneProducts><fbc:geneProduct fbc:id="g" fbc:label="b1"/><fbc:geneProduct fbc:id="h" fbc:label="b2"/></fbc:listOfGeneProducts>
    <groups:listOfGroups><groups:group groups:id="q" groups:kind="partonomy"><groups:listOfMembers><groups:member groups:idRef="r"/></groups:listOfMembers></groups:group></groups:listOfGroups>
    </model></sbml>
    """

  private static let level2 = """
    <sbml xmlns="http://www.sbml.org/sbml/level2" level="2" version="1"><model id="m"><listOfCompartments><compartment id="c"/></listOfCompartments>
    <listOfSpecies><species id="s" compartment="c" charge="-2"><notes><p xmlns="http://www.w3.org/1999/xhtml">FORMULA: C6H12O6</p></notes></species></listOfSpecies>
    <listOfReactions><reaction id="r" reversible="false"><notes><html xmlns="http://www.w3.org/1999/xhtml"><p>GENE_ASSOCIATION: (b1 and b2) or b3</p></html></notes>
    <listOfReactants><speciesReference species="s"/></listOfReactants><kineticLaw><math xmlns="http://www.w3.org/1998/Math/MathML"><ci>FLUX_VALUE</ci></math><listOfParameters>
    <parameter id="LOWER_BOUND" value="-1"/><parameter id="UPPER_BOUND" value="7"/><parameter id="OBJECTIVE_COEFFICIENT" value="1"/></listOfParameters></kineticLaw></reaction></listOfReactions></model></sbml>
    """

  private static let layouts = """
    <sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" xmlns:layout="http://www.sbml.org/sbml/level3/version1/layout/version1" level="3" version="1" layout:required="false"><model id="m">
    <listOfCompartments><compartment id="c" constant="true"/></listOfCompartments><listOfSpecies><species id="a" compartment="c"/></listOfSpecies>
    <listOfReactions><reaction id="r" reversible="false"><listOfReactants><speciesReference id="x" species="a" stoichiometry="1"/></listOfReactants></reaction></listOfReactions>
    <layout:listOfLayouts xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><layout:layout layout:id="l"><layout:dimensions layout:width="9" layout:height="8"/>
    <layout:listOfSpeciesGlyphs><layout:speciesGlyph layout:id="g" layout:species="a"><layout:boundingBox><layout:position layout:x="1" layout:y="2"/><layout:dimensions layout:width="3" layout:height="4"/></layout:boundingBox></layout:speciesGlyph></layout:listOfSpeciesGlyphs>
    <layout:listOfReactionGlyphs><layout:reactionGlyph layout:id="h" layout:reaction="r"><layout:listOfSpeciesReferenceGlyphs><layout:speciesReferenceGlyph layout:id="i" layout:speciesGlyph="g" layout:role="substrate"><layout:curve><layout:listOfCurveSegments><layout:curveSegment xsi:type="CubicBezier"><layout:start layout:x="0" layout:y="0"/><layout:end layout:x="5" layout:y="6"/><layout:basePoint1 layout:x="1" layout:y="1"/><layout:basePoint2 layout:x="2" layout:y="2"/></layout:curveSegment></layout:listOfCurveSegments></layout:curve></layout:speciesReferenceGlyph></layout:listOfSpeciesReferenceGlyphs></layout:reactionGlyph></layout:listOfReactionGlyphs>
    <layout:listOfTextGlyphs><layout:textGlyph layout:id="t" layout:graphicalObject="g" layout:originOfText="a"/></layout:listOfTextGlyphs></layout:layout></layout:listOfLayouts></model></sbml>
    """

  private static let cobra = """
    {"id":"m","compartments":{"c":"cytosol"},"metabolites":[{"id":"a_c","name":"A","compartment":"c","charge":-1,"formula":"C3"},{"id":"b_c","compartment":"c"}],
    "reactions":[{"id":"R","metabolites":{"a_c":-1.0,"b_c":2},"lower_bound":-Infinity,"upper_bound":1000.0,"objective_coefficient":1,"gene_reaction_rule":"(g1 and g2) or g3"}],
    "genes":[{"id":"g1","name":"one"},{"id":"g2"},{"id":"g3"}],"version":"1"}
    """

  private static let scenario = """
    {"name":"t","labels":["U","A","C"],"pools":[{"id":"a","kind":"boundary"},{"id":"b","kind":"internal"},{"id":"c","kind":"boundary"}],
    "processes":[{"id":"p","reversible":false,"in":["a"],"out":["b"],"inhibitors":[{"pool":"c","trigger":"C"}]},{"id":"q","reversible":true,"in":["b"],"out":["c"],"activators":[{"pool":"a","trigger":"A"}]}],
    "observations":[{"pool":"a","label":"A"},{"pool":"c","label":["U","A"]}]}
    """

  private static let overlay = "{\"R1\": 1.5, \"R2\": -3e-4, \"R3\": null}"
  private static let rules = "((b0001 and b0002) or (b0003 && B0004)) or (b1 | b2 & b3)"
  private static let table = "pool,value,unit\nglc,5.1,mmol/L\nlac,<LOD,mmol/L\n\"pyr\",1.2..3.4,mmol/L\nfbp,NA,\n"
  private static let labels = "pool,label\r\nglc,A\r\nlac,U|A\r\n"
  private static let rows = """
    {"observations":[{"pool":"glc","value":5.1,"unit":"mmol/L","unavailable_below":0.1},{"pool":"lac","value":[1,2]}]}
    """
}
