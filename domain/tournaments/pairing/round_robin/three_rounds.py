"""Stored arrangements of three rounds at tables of four and five, the best that are known by the rules of docs/SEATING.md.

`tests/tournaments/three_rounds.py` found them. They never change, because logs depend on them: better ones would need a new
edition of tournaments.
"""

from collections.abc import Mapping
from string import ascii_letters, digits

from hoodwink.domain.tournaments.pairing.round_robin.shapes import Arrangement, Shape

ROUNDS, SEATS = 3, 5

# Rounds 2 and 3, by number of entrants: a character for each entrant, and a word for each table. Round 1 has all of them in order.
_ARRANGEMENTS: Mapping[int, str] = {
    4: "1302 | 2031",
    5: "14203 | 43210",
    8: "3641 7205 | 6350 2714",
    9: "42861 3057 | 74620 1835",
    10: "83175 24690 | 97352 48061",
    12: "37b9 6a14 5208 | b342 a870 1695",
    13: "7c6a0 4539 1b82 | 895b6 24a7 30c1",
    14: "47db2 8ca15 9036 | d460a 39b5c 2817",
    15: "4269a d85c1 e730b | ce172 83ba6 94d50",
    16: "1ac4 279d eb05 f638 | 934e 70fa d851 62bc",
    17: "68gfa 291e 305b c74d | 7ce95 f362 bd81 4ga0",
    18: "9af1g c4be5 82d6 37h0 | dge27 h36cf 490a 185b",
    19: "d051f 9ib4h g28ac e736 | ia1e5 4f6bg h3d72 8c90",
    20: "h754b df8c0 j31a6 ge92i | 48bg1 39jhd e26f5 ica07",
    21: "f75ha 1b6d 489i k3g2 c0ej | b9k6e id07 gh45 3c8f j2a1",
    22: "1edj7 4ahig b296 35lc fk80 | jc6kf gl0be 8d42 7i3a 9h51",
    24: "mj60a 7c3lf 4eik5 n91gd 8hb2 | j8kc1 d5lh0 i3nb6 g2em7 9f4a",
    25: "2ib9k 1nga7 d0o5f 4j6cm 83elh | o48bg 9m3fa nhd62 lci15 e7jk0",
    26: "4iafn cphje 3g5b dk06 18m7 29lo | gld5m bof1k 8en0 j74c h39a 62pi",
    27: "8ieol gnjc1 hpk27 m90b 3f5a q4d6 | d3mhn bqij5 4l9pf 18ak e26g 7co0",
    28: "l2iao bqkf5 1npg6 49rmc 8e0h j3d7 | hc3kp g7eql rjn28 dm5o0 9fa1 6i4b",
    29: "s4b9m 1og5c 7airk qnj63 2elfp 80dh | 4f8kq 3r5lb ic60s 9dn2g mhpa1 ejo7",
    30: "49bki h5lcq oatf0 j26pm 8rdg1 3ne7s | sdo45 m3frb gp9al et16h q70jk icn28",
    31: "udi5o sj1pb gq3lt em6n 2cf7 90kr 4a8h | hnuk2 m9sga pr46f d7q1 ilb0 35ej 8toc",
    32: "nd4ps jcrmt quk15 l9vfo i7a0 38eg h26b | eitl2 80phu grsak mv36q 9nbj df17 45oc",
    33: "8tnag 3ilpv swe17 ucqfk j4b5r o90h md62 | i8wbm h2slu 4v9qa rfd0t epoj6 15gk 7n3c",
    34: "nci0q 3o6ws t51ub 8rfka hxe2l djv7p m49g | qax61 wejtm l8gv0 9udh3 2io5r bp4fn s7kc",
    35: "nu8p2 7tlyf q4dmg ei1kw 6r0bx 39vjc oash5 | xsg7k 9mb1u yhnr3 4ci5l 8ofeq d2tv6 jwp0a",
    36: "zjnu1 4msqb vwrfk e05pl cy82 h93a tio6 x7dg | l2gos pdkhy 8naxt 3qz7c jv9m ir15 6e4w ufb0",
    37: "Ah17q 2p9ub o4xvg izslt rawky ne50 6mdf 8j3c | udqx5 s3y6n w8ezf jvAmp ct0rh 7kg2 49la boi1",
    38: "gm82b z3fun Bh9w1 xjlrd 7Aqka ty0v5 ie4p cos6 | 3p5mh v46gz nBxc7 r2oAu sweyl b9i0q 1tja d8kf",
    39: "39dfv lyCch 4m5qz ent16 xsoAa rj8bB 70upg iwk2 | ciAum Cdnw7 1hb5p qB6a3 s29zl g8e4x vtj0k ofyr",
    40: "8uje2 rw6Aa dnyfq cBi0l D3pbk 49xoC gtzm7 vhs15 | xkqch 74lwp sm3Bd efA50 Cy1g8 92bvr oiazu tjnD6",
    41: "o0ux7 q9yDm 8Aphv rtjlC esE2f zka1 icw6 45dB bn3g | 1diyp wx4qk gvC5z 6Bsat 3EAuc nD8r 7mfb 2j9o lhe0",
    42: "tixyC 2a9Eu qezwm Drk60 FoBgc sAlfv hn45 73pb 8jd1 | vcjD5 xE1qA 3uskz b8n2F d4y7l BwChp efor 9mi0 6tga",
    43: "jBsb1 CDyer h9dEl 8Fnw0 4fqmG vcz53 txA7a o2ug ikp6 | EC6q2 xmbzp wal4D yo1Ac G7ivB e0tuh gr5Fk ns9f 3d8j",
    44: "gtEa3 ou9cz G0Akp 8xiFl CH16h n4sev bDjrw d5y2f m7qB | s9l0C e8f1q c2Fpn 3hvzm BwdGg xjHo5 ri6AE 4ytb7 Daku",
    45: "4xqaz oGv9s dHD5p bh6EA jckr0 1iIl7 3m8uF tCfyn Bwe2g | 7apkf n8izw y2AGq IdCvh 9rFBb sExm1 Du0o6 le3j5 Htg4c",
    46: "4waAG BJFlr gxHCy 9snvE D8q2u eIf0z mc36 oht7 ikd5 bpj1 | vCGhm 15JwD AEiop 7juyc 3FzkH 6tBIb r2eg s48f nd0q x9la",
    47: "7GlhB 4eEzH ir3In C5Dou FdvfA y9pJa K2bwk mxt1 g8q0 6jsc | 8Jzbr Gs15v AtaEl B4iqm IcxgF jHCp2 n0K6D owe7 3hdy 9ufk",
    48: "4u6ka 2m5fJ wjb1E yGqIA xzi0L Hr9lv 7DnFg tBehK d3Cp so8c | 9eI2s ipJEB hx3a7 1fHzu gCvGk L84wq odFt5 cKymr l0Db Anj6",
    49: "xI0br iCqG3 Mafuz jdltF 8LHkh 1pD7w 2y6Km cnv9A o5gJE s4eB | nhd0q 9Hyla 4mj5p BiEL2 b7Afk erJ6u FsC1x toKzv wG8cM 3DIg",
    50: "oMD07 2hELp n38jz GsxcJ IBbk5 ydqfl HeANv Crg6w 4iFuK tm19a | xfepn 9JvFh N0aqB j7l1E KCIo2 Mw4GA d8irm 3y5gH Lctzk sD6bu",
    51: "dN9mJ IBqfL MC0Fp KGOvc 38xzH AaDur 1otEg 7k4b l26h nejw siy5 | exilA 4yLHD hJ3BM GwCkI FKzN7 brn25 jOE6s t9fa mcp1 ou80 gdvq",
    52: "b2pwl 9mHIO 1GuhM L8Cgk xsNA6 tEPJd yraK5 ncFzv 70of ei3B 4jqD | DfIkG O5ipL Bovaq hPzb7 jHl0u Ket4N 3M8mE CxJF1 w9sc gy62 dnAr",
    53: "PnFb3 9ht2a orgAw BEOL8 mxqeG MNzp5 d4CfJ 1sIuk Q7ilK jc0v DHy6 | KCuNq Lfn70 8Qjmr ikxzd yosFc etAOM 4I9Dg 6wJBP vaH51 3Gph l2bE",
    54: "rkMvg HCe2K nsPNz oQDw3 8uEbp ya9O1 j5IJm cBfF0 G7RAh tLi6d lx4q | 3esGJ NhFu5 6MbfO 4R8tk xiCcr 1wq7H dI0Ql D2vPL gyopB AnKja m9zE",
    55: "M7FPl bJi1p yhqk0 Hf6cs gQd5C n2Dwa Nj94G SeKrv RIAox L3uBm 8OztE | Cr07f PdHhK eiM2k tc3NR IDvLg mwjq5 GBSyJ oa1zQ xnEb6 48pFA s9luO",
    56: "taQjF wL4Om RKzq1 Di8SG Ps9vl bE0NJ HIu6f 2BTMg nCeh 7cxk doyp 3rA5 | e4MRk Ldl2u ynNA7 JhFzr xT5KH q3icI OGCQp oSPwE 6tv0 8f1B smga j9Db",
    57: "82JFq Ik0hM 4TpEz eUsOL DRNaf vnSb5 PrHcx dQ1KB i3l6u Cmtg 9wAG joy7 | tLQTk KyE0m Gh6Rr sjnzJ B9gpl MH3SN OdqAv U7aPw o5i2C xeDI buF1 c84f",
    58: "HRtN5 Ijbk7 xegEl nfAGU hw9Lp 8VKor vs1OT QyD2i F3Pau cCqS0 BmM6 d4Jz | 35kcB M0Tpf rU6JH REVbA i9Cvn oGjQx s74Fg eOzmw 2Luqd NSy1P taIK lD8h",
    59: "MTpjw 83elL qkdFf SEW16 9RUzr VtxgC HcJDh P2NA7 b5uIB nGOv0 4sKym Qioa | D8vVk iBsOH NxncU jdl9Q Io1qP 7hRTu mW0fz wrAJb yLtE2 CeSpK FM35a g46G",
    60: "lLqPc 2Gbvi Wsuz8 94EJm dOnwh yICog RDeTH xVNk6 jS3rF XQAKp M7t1U B0a5f | S5du2 iXD90 3NIbq 8mFAM CTsEQ HWk7J tcyfR 6wKlz 4nxjB orvaO UegpL 1hPGV",
}


def is_stored(shape: Shape) -> bool:
    tables = -(-shape.entrants // SEATS)
    return (
        shape.entrants in _ARRANGEMENTS
        and shape.rounds == ROUNDS
        and shape.tables == tables
        and not shape.waiting
    )


def stored(shape: Shape) -> Arrangement:
    """Returns the arrangement of a stored shape."""
    entrants = "".join(_ARRANGEMENTS[shape.entrants].replace("|", " ").split())
    return (*range(shape.entrants), *map((digits + ascii_letters).index, entrants))
