import BenchmarkSupport
@preconcurrency import Glibc

// The long proofs: inputs made by mutation for every reader of foreign bytes, and kills of a writing process.
//
// Each input depends only on the seed and its number, so that every finding can be reproduced. Inputs run in child
// processes; one that traps, hangs or takes too much memory is counted and named, and the rest continues.
//
// Usage: Campaign readers|values|images SEED COUNT [FOLDER]      readers: all of pdb, cif, bcif, sdf and xyz, or one
//        Campaign one SUBJECT SEED NUMBER [FOLDER]           writes that input to standard output
//        Campaign kills SEED COUNT PATH-OF-WORKBENCH
//        Campaign json SEED COUNT                             random documents, read as Python reads them

setvbuf(stdout, nil, _IOLBF, 0)
let words = Array(CommandLine.arguments.dropFirst())

func number(_ index: Int) -> Int {
  guard index < words.count, let number = Int(words[index]), number >= 0 else {
    fatalError("usage: Campaign SUBJECT SEED COUNT [FOLDER]; 'SEED' and 'COUNT' are numbers")
  }
  return number
}

switch words.first {
case "work":
  // SUBJECT SEED FIRST END FOLDER PROGRESS
  let subject = try Subjects.named(words[1], folder: words[5])
  FuzzWork(subject: subject, seed: number(2), progress: words[6]).run(number(3)..<number(4))
case "one":
  let subject = try Subjects.named(words[1], folder: words.count > 4 ? words[4] : ".")
  let bytes = FuzzInput(seed: number(2), number: number(3)).bytes(for: subject)
  fwrite(bytes, 1, bytes.count, stdout)
case "json": exit(JSONPeers(seed: number(1)).run(count: number(2)))
case "kills": try StoreKills(workbench: words[3], seed: number(1)).run(count: number(2))
case let name?:
  exit(FuzzCampaign(subject: name, seed: number(1), folder: words.count > 3 ? words[3] : ".").run(count: number(2)))
case nil: fatalError("usage: Campaign SUBJECT SEED COUNT [FOLDER]")
}
