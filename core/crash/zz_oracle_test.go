package crash
import ("testing";"os";"strings";"strconv";"crashglass/core/cpu")
func TestOracle(t *testing.T){
 b,err:=os.ReadFile("/tmp/reason/want.txt"); if err!=nil{t.Skip()}
 bad:=0;n:=0
 for l:=range strings.Lines(string(b)){ l=strings.TrimSpace(l); in,want,_:=strings.Cut(l,"\t"); f:=strings.Fields(in)
  p:=func(i int)uint64{v,_:=strconv.ParseUint(f[i],16,64);return v}
  e:=&Exception{Code:uint32(p(2)),Flags:uint32(p(3)),Params:[]uint64{p(4),p(5),p(6)}}
  got:=""
  if f[0]=="lasterror"{got=LastError(e.Code)}else{got=Reason(e,f[0],cpu.ByName(f[1]))}
  n++
  if got!=want{bad++; if bad<20{t.Errorf("%s\n got %s\nwant %s",in,got,want)}}
 }
 t.Log(n,bad)
}
