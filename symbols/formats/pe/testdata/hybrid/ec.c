__declspec(dllexport) int leaf(int a){return a*3+1;}
int __attribute__((noinline)) g(int *p,int n){int s=0;for(int i=0;i<n;i++)s+=leaf(p[i])*i;return s;}
__declspec(dllexport) double f(int a,double d){int b[40];for(int i=0;i<40;i++)b[i]=a+i;return g(b,40)*d;}
typedef int (*fn)(int,double);
__declspec(dllexport) int callback(fn c,int a){return c(a,2.0)+1;}
int x64part(int);
__declspec(dllexport) int cross(int a){return x64part(a)+2;}
int _DllMainCRTStartup(void*a,int b,void*c){return 1;}
